import type { Json } from '../json/json.ts'
import { type Medium, mediumOf } from '../json/media.ts'
import type { Collector, PromptContent } from './collector.ts'
import { fairMediaTokens } from './media-tokens.ts'
import { addSchema, addTools } from './tools.ts'
import { countingVendorOf, overheadOf } from './vendors.ts'

/** Every top-level field with a prompt, of every operation: no two operations use one name for different things. */
const readers: Readonly<Record<string, (into: Collector, value: Json) => void>> = {
  // Chat, Responses, Messages and Gemini.
  messages: (into, value) => addMessages(into, value),
  contents: (into, value) => addMessages(into, value),
  input: (into, value) => addInput(into, value),
  system: (into, value) => addSystem(into, value),
  instructions: (into, value) => addSystem(into, value),
  systemInstruction: (into, value) => addSystem(into, value),
  system_instruction: (into, value) => addSystem(into, value),
  tools: addTools,
  functions: addTools,
  response_format: (into, value) => addSchema(into, value?.json_schema),
  text: (into, value) => addSchema(into, value?.format),
  output_format: addSchema,
  output_config: (into, value) => addSchema(into, value?.format),
  generationConfig: (into, value) => addGeminiSchema(into, value),
  generation_config: (into, value) => addGeminiSchema(into, value),
  // Completions and images, embeddings, reranking.
  prompt: (into, value) => addInput(into, value),
  suffix: (into, value) => addContent(into, value),
  content: (into, value) => addContent(into, value),
  requests: (into, value) => addRequests(into, value),
  title: (into, value) => addContent(into, value),
  query: (into, value) => addContent(into, value),
  documents: (into, value) => addContent(into, value),
}

/** Collects the prompt of a body of any operation. `format` is that of the vendor that counts. */
export const collectPrompt = (body: Json, format: string, model: string): PromptContent => {
  const into: Collector = {
    texts: [],
    tokens: 0,
    mediaTokens: 0,
    vendor: countingVendorOf(format, model),
    model,
  }
  // The path of a cache or a count of Gemini's may hold the whole request in one field.
  const request = body?.generateContentRequest ?? body
  for (const [field, read] of Object.entries(readers))
    if (Object.hasOwn(request ?? {}, field)) read(into, request[field])
  const isChat = ['messages', 'contents'].some(field => Array.isArray(request?.[field]))
  if (isChat || format === 'openai-responses') into.tokens += overheadOf[into.vendor].once
  const { texts, tokens, mediaTokens } = into
  return { texts, tokens, mediaTokens }
}

const addMessages = (into: Collector, value: Json): void => {
  const { message } = overheadOf[into.vendor]
  for (const each of Array.isArray(value) ? value : [value]) {
    if (each === null || each === undefined) continue
    into.tokens += message
    // The name itself is read with the other fields.
    if (typeof each?.name === 'string' && each.content !== undefined) into.tokens += 1
    addContent(into, each)
  }
}

const addSystem = (into: Collector, value: Json): void => {
  if (value === null) return
  into.tokens += overheadOf[into.vendor].system
  addContent(into, value)
}

/** The input of Responses, of embeddings and of speech: a text, texts, token ids, or messages. */
const addInput = (into: Collector, value: Json): void => {
  if (
    Array.isArray(value) &&
    value.some(each => isObject(each) && !Array.isArray(each) && !('text' in each))
  )
    addMessages(into, value)
  else addContent(into, value)
}

const addRequests = (into: Collector, value: Json): void => {
  for (const each of Array.isArray(value) ? value : []) addContent(into, each?.content)
}

const addGeminiSchema = (into: Collector, value: Json): void => {
  const schema = value?.responseJsonSchema ?? value?.responseSchema ?? value?.response_schema
  if (schema !== undefined) addSchema(into, { schema })
}

const isObject = (value: Json): boolean => typeof value === 'object' && value !== null

/** Fields of messages and parts that no model reads. */
const unread: ReadonlySet<string> = new Set([
  ...['type', 'role', 'id', 'call_id', 'tool_call_id', 'tool_use_id', 'status', 'index', 'phase'],
  ...['cache_control', 'signature', 'thoughtSignature', 'thought_signature', 'encrypted_content'],
  ...['mimeType', 'mime_type', 'media_type', 'format', 'detail', 'filename', 'annotations'],
  ...['citations', 'logprobs', 'is_error', 'model', 'created_by', 'thought', 'refs', 'audio'],
  ...['videoMetadata', 'video_metadata', 'mediaResolution', 'prompt_cache_breakpoint'],
])

/** Vendors drop the thoughts of earlier turns, or never show them to the model again. */
const droppedParts: ReadonlySet<string> = new Set(['thinking', 'redacted_thinking', 'reasoning'])

/** Values whose JSON the model reads. */
const jsonFields: ReadonlySet<string> = new Set(['args', 'response', 'arguments', 'action'])

/** Collects texts and media of a message, a part, or a list of them. */
const addContent = (into: Collector, value: Json): void => {
  if (typeof value === 'string' && value !== '') into.texts.push(value)
  if (typeof value === 'number') into.tokens += 1
  if (Array.isArray(value)) {
    for (const each of value) addContent(into, each)
    return
  }
  if (!isObject(value) || droppedParts.has(value.type) || value.thought === true) return
  for (const [field, member] of Object.entries(value)) addMember(into, value, field, member as Json)
}

const addMember = (into: Collector, part: Json, field: string, member: Json): void => {
  if (member === null || unread.has(field)) return
  const medium = mediumIn(field, member)
  const isToolInput = field === 'input' && isObject(member) && !Array.isArray(member)
  if (medium) addMedium(into, medium, part)
  else if (isObject(member) && (jsonFields.has(field) || isToolInput))
    into.texts.push(JSON.stringify(member))
  else if (typeof member !== 'number') addContent(into, member)
}

const linkFields: ReadonlySet<string> = new Set([
  ...['url', 'image_url', 'file_id', 'file_url', 'file_uri', 'fileUri', 'uri', 'gcsUri'],
])
const dataFields: ReadonlySet<string> = new Set([
  ...['data', 'bytes', 'file_data', 'b64_json', 'result', 'image', 'url', 'image_url'],
])

/** A model reads base64 that stands in a text as text. */
const textFields: ReadonlySet<string> = new Set(['text', 'content', 'output', 'input_text'])

const dataMin = 64
const base64Pattern = /^[\w+/=-]{64}/

/** Base64, or the address or id of a file; undefined for text. */
const mediumIn = (field: string, member: Json): Medium | undefined => {
  if (typeof member !== 'string' || textFields.has(field)) return undefined
  const comma = member.startsWith('data:') ? member.indexOf(',') : -1
  if (comma > 0) return mediumOf(Buffer.from(member.slice(comma + 1), 'latin1'))
  if (dataFields.has(field) && member.length >= dataMin && base64Pattern.test(member))
    return mediumOf(Buffer.from(member, 'latin1'))
  return linkFields.has(field) ? { kind: 'link' } : undefined
}

const addMedium = (into: Collector, medium: Medium, { detail }: Json): void => {
  const tokens = fairMediaTokens(
    into.vendor,
    { ...medium, isLowDetail: detail === 'low' },
    into.model,
  )
  into.tokens += tokens
  into.mediaTokens += tokens
}
