import type { ChatRequest, Message, Part, ThinkingPart } from '../../canon.ts'
import type { Json } from '../../json/json.ts'
import type { WarningCollector } from '../../warnings.ts'
import {
  asUnknownFields,
  type CallIds,
  callIds,
  decodePart,
  dialectId,
  encodeCall,
  encodeMedia,
  encodeResult,
  lostSignature,
  ownFields,
} from '../parts.ts'
import { joinChunks } from './join-chunks.ts'
import { withLateSignatures } from './late-signatures.ts'

/** Decodes `contents`; tool results are user parts here but separate messages in canon. */
export const decodeContents = (contents: readonly Json[]): Message[] => {
  const ids = callIds('call_')
  return joinChunks(withLateSignatures(contents.flatMap(content => decodeContent(content, ids))))
}

const decodeContent = (content: Json, ids: CallIds): Message[] => {
  const { role, parts, ...rest } =
    typeof content === 'string' ? { parts: [{ text: content }] } : (content ?? {})
  const list = Array.isArray(parts) ? parts : parts ? [parts] : []
  const decoded: Part[] = list.map((part: Json) => decodePart(part, ids))
  if (role === 'model') return [{ role: 'assistant', parts: decoded, ...asUnknownFields(rest) }]
  const messages: Message[] = []
  for (const part of decoded) {
    const side = part.type === 'tool-result' ? 'tool' : 'user'
    if (messages.at(-1)?.role !== side)
      messages.push({ role: side, parts: [], ...asUnknownFields(rest) })
    messages.at(-1)!.parts.push(part)
  }
  return messages.length > 0 ? messages : [{ role: 'user', parts: [], ...asUnknownFields(rest) }]
}

type EncodedMessages = { system: Json[]; contents: Json[] }

/** Leading system messages go to `systemInstruction`; later ones become user turns with a warning. */
export const encodeMessages = (
  { messages, model }: ChatRequest,
  warnings: WarningCollector,
): EncodedMessages => {
  const encoded: EncodedMessages = { system: [], contents: [] }
  const names = namesIn(messages)
  // The vendor refuses a request without contents, so instructions alone become a user turn.
  const hasTurns = messages.some(({ role }) => role !== 'system' && role !== 'developer')
  const isStrict = /gemini-([3-9]|\d\d)/.test(model)
  let previousRole: Message['role'] | undefined
  for (const message of messages) {
    const { role, name, unknownFields } = message
    warnings.warnForeignFields(unknownFields)
    if (name !== undefined) warnings.warnDropped('name')
    const isSystem = role === 'system' || role === 'developer'
    if (isSystem && hasTurns && encoded.contents.length === 0) {
      encoded.system.push(...message.parts.flatMap(part => encodeUserPart(part, warnings) ?? []))
      continue
    }
    if (isSystem && hasTurns) warnings.warnDropped('later system message')
    const parts =
      role === 'assistant'
        ? encodeModelTurn(message.parts, isStrict, warnings)
        : message.parts.flatMap(part =>
            part.type === 'tool-result'
              ? encodeResult(part, part.name ?? names.get(part.id) ?? part.id, warnings)
              : (encodeUserPart(part, warnings) ?? []),
          )
    if (parts.length === 0 && message.parts.length > 0) continue
    const side = role === 'assistant' ? 'model' : 'user'
    // Results of parallel calls share one turn: https://ai.google.dev/gemini-api/docs/function-calling
    if (role === 'tool' && previousRole === 'tool') encoded.contents.at(-1)!.parts.push(...parts)
    else encoded.contents.push({ role: side, parts, ...ownFields(unknownFields) })
    previousRole = role
  }
  return encoded
}

/** Maps call ids to tool names: results must name their tool in this dialect. */
const namesIn = (messages: readonly Message[]): ReadonlyMap<string, string> => {
  const names = new Map<string, string>()
  for (const { parts } of messages)
    for (const part of parts) if (part.type === 'tool-call') names.set(part.id, part.name)
  return names
}

/** Returns undefined, with a warning, for a part that this dialect cannot express. */
const encodeUserPart = (part: Part, warnings: WarningCollector): Json | undefined => {
  warnings.warnForeignFields(part.unknownFields)
  if (part.cache) warnings.warnDropped('cache_control')
  switch (part.type) {
    case 'text':
      if (part.citations?.some(each => each.raw?.dialect !== dialectId))
        warnings.warnDropped('citations')
      return { text: part.text, ...signed(part, warnings), ...ownFields(part.unknownFields) }
    case 'media':
      return encodeMedia(part, warnings)
    case 'opaque':
      if (part.dialect === dialectId) return part.value as Json
      warnings.warnDropped(kindOf(part.value as Json))
      return undefined
    default:
      warnings.warnDropped(part.type)
      return undefined
  }
}

const kindOf = (value: Json): string => String(value?.type ?? 'part')

const signed = (
  { signature }: { signature?: ThinkingPart['signature'] },
  warnings: WarningCollector,
): Json => {
  if (signature?.dialect === dialectId) return { thoughtSignature: signature.text }
  if (signature) warnings.warnDropped('signature')
  return {}
}

/** Encodes a model turn. The signature of an empty thought moves to the call that follows it. */
const encodeModelTurn = (
  parts: readonly Part[],
  isStrict: boolean,
  warnings: WarningCollector,
): Json[] => {
  const encoded: Json[] = []
  let pendingSignature: string | undefined
  let hasCall = false
  for (const part of parts) {
    if (part.type === 'thinking') {
      const { redacted, text, signature, unknownFields } = part
      if (signature && signature.dialect !== dialectId) warnings.warnDropped('thinking')
      else if (redacted && signature) pendingSignature = signature.text
      else
        encoded.push({
          text,
          thought: true,
          ...signed(part, warnings),
          ...ownFields(unknownFields),
        })
      continue
    }
    if (part.type !== 'tool-call') {
      if (pendingSignature !== undefined)
        encoded.push({ text: '', thoughtSignature: pendingSignature })
      pendingSignature = undefined
      const encodedPart = encodeUserPart(part, warnings)
      if (encodedPart) encoded.push(encodedPart)
      continue
    }
    warnings.warnForeignFields(part.unknownFields)
    const knownSignature = signed(part, warnings).thoughtSignature ?? pendingSignature
    // Gemini 3 requires a signature on the first call of a turn and documents a placeholder for lost ones.
    const signature = knownSignature ?? (isStrict && !hasCall ? lostSignature : undefined)
    const call = encodeCall(part, part.id)
    encoded.push(signature === undefined ? call : { ...call, thoughtSignature: signature })
    pendingSignature = undefined
    hasCall = true
  }
  if (pendingSignature !== undefined) encoded.push({ text: '', thoughtSignature: pendingSignature })
  return encoded
}
