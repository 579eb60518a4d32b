import type { ChatRequest, Message, Part, ThinkingPart } from '../../canon.ts'
import type { Json } from '../../json.ts'
import type { Noting } from '../../notes.ts'
import {
  decodePart,
  encodeCall,
  encodeMedia,
  encodeResult,
  extraOf,
  type Ids,
  idsOf,
  lostSignature,
  own,
  ownFields,
} from '../parts.ts'
import { joinChunks } from './join-chunks.ts'
import { withLateProofs } from './late-signatures.ts'

/** Results of tools stand among the user's words here; in canon they are messages of their own. */
export const decodeContents = (contents: readonly Json[]): Message[] => {
  const ids = idsOf('call_')
  return joinChunks(withLateProofs(contents.flatMap(content => decodeContent(content, ids))))
}

const decodeContent = (content: Json, ids: Ids): Message[] => {
  const { role, parts, ...rest } =
    typeof content === 'string' ? { parts: [{ text: content }] } : (content ?? {})
  const list = Array.isArray(parts) ? parts : parts ? [parts] : []
  const decoded: Part[] = list.map((part: Json) => decodePart(part, ids))
  if (role === 'model') return [{ role: 'assistant', parts: decoded, ...extraOf(rest) }]
  const messages: Message[] = []
  for (const part of decoded) {
    const side = part.type === 'tool-result' ? 'tool' : 'user'
    if (messages.at(-1)?.role !== side) messages.push({ role: side, parts: [], ...extraOf(rest) })
    messages.at(-1)!.parts.push(part)
  }
  return messages.length > 0 ? messages : [{ role: 'user', parts: [], ...extraOf(rest) }]
}

type Told = { system: Json[]; contents: Json[] }

/** The leading words of the system have a place of their own; later ones are said by the user. */
export const encodeMessages = ({ messages, model }: ChatRequest, notes: Noting): Told => {
  const told: Told = { system: [], contents: [] }
  const names = namesIn(messages)
  const isStrict = /gemini-([3-9]|\d\d)/.test(model)
  let before: Message['role'] | undefined
  for (const message of messages) {
    const { role, name, extra } = message
    notes.dropForeign(extra)
    if (name !== undefined) notes.drop('name')
    const isSystem = role === 'system' || role === 'developer'
    if (isSystem && told.contents.length === 0) {
      told.system.push(...message.parts.flatMap(part => encodeSaid(part, notes) ?? []))
      continue
    }
    if (isSystem) notes.drop('later system message')
    const parts =
      role === 'assistant'
        ? encodeAnswer(message.parts, isStrict, notes)
        : message.parts.flatMap(part =>
            part.type === 'tool-result'
              ? encodeResult(part, part.name ?? names.get(part.id) ?? part.id, notes)
              : (encodeSaid(part, notes) ?? []),
          )
    if (parts.length === 0 && message.parts.length > 0) continue
    const side = role === 'assistant' ? 'model' : 'user'
    // The answers to calls of one turn stand together: https://ai.google.dev/gemini-api/docs/function-calling
    if (role === 'tool' && before === 'tool') told.contents.at(-1)!.parts.push(...parts)
    else told.contents.push({ role: side, parts, ...ownFields(extra) })
    before = role
  }
  return told
}

/** Results name their tool here; elsewhere only the call does. */
const namesIn = (messages: readonly Message[]): ReadonlyMap<string, string> => {
  const names = new Map<string, string>()
  for (const { parts } of messages)
    for (const part of parts) if (part.type === 'tool-call') names.set(part.id, part.name)
  return names
}

/** Undefined for what cannot be said to this dialect. */
const encodeSaid = (part: Part, notes: Noting): Json | undefined => {
  notes.dropForeign(part.extra)
  if (part.cache) notes.drop('cache_control')
  switch (part.type) {
    case 'text':
      if (part.citations?.some(each => each.raw?.dialect !== own)) notes.drop('citations')
      return { text: part.text, ...signed(part, notes), ...ownFields(part.extra) }
    case 'media':
      return encodeMedia(part, notes)
    case 'opaque':
      if (part.dialect === own) return part.value as Json
      notes.drop(kindOf(part.value as Json))
      return undefined
    default:
      notes.drop(part.type)
      return undefined
  }
}

const kindOf = (value: Json): string => String(value?.type ?? 'part')

const signed = ({ proof }: { proof?: ThinkingPart['proof'] }, notes: Noting): Json => {
  if (proof?.by === own) return { thoughtSignature: proof.text }
  if (proof) notes.drop('signature')
  return {}
}

/** The model's side of a history. A signature that travelled alone goes back to the call behind it. */
const encodeAnswer = (parts: readonly Part[], isStrict: boolean, notes: Noting): Json[] => {
  const told: Json[] = []
  let alone: string | undefined
  let hasCalled = false
  for (const part of parts) {
    if (part.type === 'thinking') {
      const { redacted, text, proof, extra } = part
      if (proof && proof.by !== own) notes.drop('thinking')
      else if (redacted && proof) alone = proof.text
      else told.push({ text, thought: true, ...signed(part, notes), ...ownFields(extra) })
      continue
    }
    if (part.type !== 'tool-call') {
      if (alone !== undefined) told.push({ text: '', thoughtSignature: alone })
      alone = undefined
      const said = encodeSaid(part, notes)
      if (said) told.push(said)
      continue
    }
    notes.dropForeign(part.extra)
    const mine = signed(part, notes).thoughtSignature ?? alone
    // The first call of a turn must have one; for a lost one its vendor names a stand-in.
    const signature = mine ?? (isStrict && !hasCalled ? lostSignature : undefined)
    const call = encodeCall(part, part.id)
    told.push(signature === undefined ? call : { ...call, thoughtSignature: signature })
    alone = undefined
    hasCalled = true
  }
  if (alone !== undefined) told.push({ text: '', thoughtSignature: alone })
  return told
}
