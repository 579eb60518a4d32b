import type { ChatRequest, MediaPart, Message, Part, ToolResultPart } from '../../canon.ts'
import type { Json } from '../../json/json.ts'
import { typeNameOf, type WarningCollector } from '../../warnings.ts'
import { isSummaryMessage, summaryIn, summaryText } from '../compact/summary.ts'
import { ItemWriter } from '../item-writer.ts'
import { dialectId, ownFields, partsOf, textOf, unknownFieldsFor } from '../items.ts'
import type { DeclaredTools } from '../namespaces.ts'

/** Returns the items of a request, or undefined for an invalid `input`. */
export const itemsOf = (input: Json): Json[] | undefined => {
  if (input === undefined || input === null) return []
  if (typeof input === 'string') return [{ role: 'user', content: input }]
  const isList = Array.isArray(input) && input.every(item => typeof item === 'object' && item)
  return isList ? input : undefined
}

export const messagesOf = (items: readonly Json[], instructions: Json): Message[] => {
  const messages: Message[] = []
  if (typeof instructions === 'string')
    messages.push({ role: 'system', parts: [{ type: 'text', text: instructions }] })
  else if (instructions !== undefined && instructions !== null)
    messages.push({
      role: 'system',
      parts: [{ type: 'opaque', dialect: dialectId, value: instructions }],
    })
  const partsIn = (role: Message['role']): Part[] => {
    if (messages.at(-1)?.role !== role) messages.push({ role, parts: [] })
    return messages.at(-1)!.parts
  }
  for (const item of items) {
    const type = item.type ?? (item.role ? 'message' : undefined)
    if (type === 'function_call_output' || type === 'custom_tool_call_output')
      partsIn('tool').push(resultOf(item))
    else if (type === 'message' && item.role !== 'assistant')
      messages.push(messageOf(item, messages))
    else if (summaryIn(item) !== undefined) messages.push(summaryMessage(item))
    else partsIn('assistant').push(...partsOf({ type, ...item }))
  }
  return messages
}

/** The vendor that is asked now may be another than the one that wrote the summary. */
const summaryMessage = (item: Json): Message => ({
  role: 'user',
  parts: [{ type: 'text', text: summaryText(summaryIn(item)!) }],
})

const instructing = new Set(['system', 'developer'])

const messageOf = ({ type, role, content, ...rest }: Json, before: readonly Message[]): Message => {
  const message: Message = {
    role: instructing.has(role) ? role : 'user',
    parts: contentsOf(content),
    ...unknownFieldsFor(rest),
  }
  // Without `instructions`, a system message that could become them is marked, so that it stays a message.
  const isOdd = before.length === 0 && areInstructions(message)
  return isOdd ? { ...message, ...unknownFieldsFor({ type: 'message' }) } : message
}

const contentsOf = (content: Json): Part[] => {
  if (typeof content === 'string') return [{ type: 'text', text: content }]
  return Array.isArray(content) ? content.map(contentOf) : []
}

const contentOf = (part: Json): Part => {
  const { type } = part ?? {}
  if ((type === 'input_text' || type === 'output_text') && typeof part.text === 'string')
    return textOf(part, {})
  if (type === 'input_image') return mediaOf(part)
  if (type === 'input_file') return fileOf(part)
  if (type === 'input_audio' && typeof part.input_audio?.data === 'string') {
    const { data, format, ...rest } = part.input_audio
    return {
      type: 'media',
      mime: `audio/${format ?? 'wav'}`,
      base64: data,
      ...unknownFieldsFor(rest),
    }
  }
  return { type: 'opaque', dialect: dialectId, value: part }
}

const mediaOf = ({ type, image_url, file_id, detail, ...rest }: Json): Part => ({
  type: 'media',
  ...urlOf(image_url, 'image/*'),
  ...(typeof file_id === 'string' ? { file: file_id } : {}),
  ...(typeof detail === 'string' ? { detail } : {}),
  ...unknownFieldsFor(rest),
})

const fileOf = ({ type, file_data, file_url, file_id, filename, detail, ...rest }: Json): Part => ({
  type: 'media',
  ...urlOf(file_data ?? file_url, mimeAt(file_url)),
  ...(typeof file_id === 'string' ? { file: file_id } : {}),
  ...(typeof filename === 'string' ? { name: filename } : {}),
  ...(typeof detail === 'string' ? { detail } : {}),
  ...unknownFieldsFor(rest),
})

/** Files are mostly PDFs. The end of a URL shows the type. */
const mimeAt = (address: Json): string =>
  /^https?:[^?#]*\.pdf([?#]|$)/i.test(String(address))
    ? 'application/pdf'
    : 'application/octet-stream'

/** Decodes a data URL; a text that is no URL is base64. */
const urlOf = (url: Json, mime: string): { mime: string; url?: string; base64?: string } => {
  if (typeof url !== 'string') return { mime }
  const data = /^data:([^;,]*)(?:;[^,]*)?;base64,/.exec(url)
  if (data) return { mime: data[1] || mime, base64: url.slice(data[0].length) }
  return /^[a-z][a-z0-9+.-]*:/i.test(url) ? { mime, url } : { mime, base64: url }
}

const resultOf = ({ type, call_id, output, ...rest }: Json): ToolResultPart => ({
  type: 'tool-result',
  id: call_id ?? '',
  parts: contentsOf(output),
  ...(type === 'custom_tool_call_output' ? { custom: true } : {}),
  ...unknownFieldsFor(rest),
})

/** A single plain system text can become `instructions`. */
const areInstructions = ({ role, parts, name, unknownFields }: Message): boolean => {
  const [part] = parts
  const isBare = parts.length === 1 && part?.type === 'text' && !part.unknownFields && !part.cache
  return role === 'system' && isBare && name === undefined && unknownFields === undefined
}

/** The `instructions` of a request: a text, or a list that canon does not model; undefined for none. */
export const instructionsOf = ([first]: readonly Message[]): Json => {
  if (!first) return undefined
  const [part] = first.parts
  if (part?.type === 'opaque' && part.dialect === dialectId && first.role === 'system')
    return part.value
  return areInstructions(first) && part?.type === 'text' ? part.text : undefined
}

export const inputOf = ({ messages, tools }: ChatRequest, warnings: WarningCollector) => {
  const instructions = instructionsOf(messages)
  const inputMessages = instructions === undefined ? messages : messages.slice(1)
  const declared = new Map(
    tools?.flatMap(tool =>
      tool.type === 'custom' ? [[tool.name, { name: tool.name, custom: true }] as const] : [],
    ),
  )
  return {
    instructions,
    input: inputMessages.flatMap(message => encodeMessage(message, declared, warnings)),
  }
}

/** The messages of the caller as output items. Those that an earlier summary became are part of the new one. */
export const userItems = ({ messages }: ChatRequest, warnings: WarningCollector): Json[] =>
  messages
    .filter(each => each.role === 'user' && !isSummaryMessage(each))
    .flatMap(each => encodeMessage(each, new Map(), warnings))

const encodeMessage = (
  { role, parts, name, unknownFields }: Message,
  declaredTools: DeclaredTools,
  warnings: WarningCollector,
): Json[] => {
  if (name !== undefined) warnings.warnDropped('name')
  warnings.warnForeignFields(unknownFields)
  const results = parts.filter(part => part.type === 'tool-result')
  if (role === 'assistant') {
    const writer = new ItemWriter({ warnings, emit: () => {}, declaredTools })
    for (const part of parts) writer.addPart(part)
    writer.close()
    return writer.items
  }
  const content = parts.flatMap(part => encodeContent(part, warnings) ?? [])
  const outputs = results.map(result => encodeResult(result, warnings))
  const message = { type: 'message', role: role === 'tool' ? 'user' : role, content }
  const hasMessage = content.length > 0 || results.length === 0
  return hasMessage ? [...outputs, { ...message, ...ownFields(unknownFields) }] : outputs
}

const encodeResult = (result: ToolResultPart, warnings: WarningCollector): Json => {
  if (result.failed) warnings.warnDropped('is_error')
  warnings.warnForeignFields(result.unknownFields)
  const [part] = result.parts
  const isText = result.parts.length === 1 && part?.type === 'text' && !part.unknownFields
  return {
    type: result.custom ? 'custom_tool_call_output' : 'function_call_output',
    call_id: result.id,
    output: isText ? part.text : result.parts.flatMap(each => encodeContent(each, warnings) ?? []),
    ...ownFields(result.unknownFields),
  }
}

/** Encodes a part of an input message; undefined for a part that belongs elsewhere. */
const encodeContent = (part: Part, warnings: WarningCollector): Json | undefined => {
  if (part.type === 'tool-result') return undefined
  warnings.warnForeignFields(part.unknownFields)
  if (part.cache) warnings.warnDropped('cache_control')
  if (part.type === 'text')
    return { type: 'input_text', text: part.text, ...ownFields(part.unknownFields) }
  if (part.type === 'media') return encodeMedia(part, warnings)
  if (part.type === 'opaque' && part.dialect === dialectId) return part.value as Json
  warnings.warnDropped(part.type === 'opaque' ? typeNameOf(part.value) : part.type)
  return undefined
}

const encodeMedia = (part: MediaPart, warnings: WarningCollector): Json | undefined => {
  const { mime, base64, file, name, detail, unknownFields } = part
  const data = base64 ?? (part.text === undefined ? undefined : encode64(part.text))
  const url = data === undefined ? part.url : `data:${mime};base64,${data}`
  const rest = { ...(detail === undefined ? {} : { detail }), ...ownFields(unknownFields) }
  const id = file === undefined ? {} : { file_id: file }
  if (mime.startsWith('image/'))
    return { type: 'input_image', ...(url === undefined ? {} : { image_url: url }), ...id, ...rest }
  if (mime.startsWith('audio/') && data !== undefined) {
    const format = mime.slice('audio/'.length)
    return { type: 'input_audio', input_audio: { data, format, ...ownFields(unknownFields) } }
  }
  if (mime.startsWith('audio/') || mime.startsWith('video/')) {
    warnings.warnDropped(mime.split('/')[0]!)
    return undefined
  }
  return {
    type: 'input_file',
    ...(data !== undefined ? { file_data: url } : url === undefined ? {} : { file_url: url }),
    ...id,
    // Content requires a file name.
    ...(name !== undefined ? { filename: name } : data !== undefined ? { filename: 'file' } : {}),
    ...rest,
  }
}

const encode64 = (text: string): string => Buffer.from(text).toString('base64')
