import type { DialectId } from '../dialect-id.ts'
import { type Cursor, close, cursorOf, isWord, open, step } from '../json/cursor.ts'
import type { Json } from '../json/json.ts'
import { bridgeText } from './messages.ts'
import type { EmptyContent, RulesOfModel } from './rule.ts'

/** The list of messages, and the content of a message, by the dialect of the body. */
const fieldNames: Readonly<Partial<Record<DialectId, { list: string; content: string }>>> = {
  'openai-chat': { list: 'messages', content: 'content' },
  anthropic: { list: 'messages', content: 'content' },
  gemini: { list: 'contents', content: 'parts' },
}

/** Fields by which a message says something without content. Thoughts do not count. */
const otherContent = ['tool_calls', 'function_call', 'refusal', 'audio']

/** A list of empty texts is shorter than this. Longer lists are not parsed. */
const emptyListBytesMax = 1_000

type Range = { start: number; end: number }
type MessageBytes = Range & { fields: Map<string, Range> }
type Cut = Range & { text: string }

/**
 * Leaves out of a body what its vendor refuses as empty: whole messages, and empty texts beside other content. All other
 * bytes stay. Returns the same buffer where nothing is empty, and where nothing would be left.
 */
export const withoutEmptyMessages = (
  body: Buffer,
  dialect: string,
  rules: Pick<RulesOfModel, 'empty-messages' | 'assistant-after-tool'>,
): Buffer => {
  const rule = rules['empty-messages']
  const names = fieldNames[dialect as DialectId]
  if (!rule || !names) return body
  if (rule.of === 'assistant' && !body.includes('"assistant"')) return body
  const messages = readMessages(body, names.list)
  const refused = (message: MessageBytes): boolean => {
    const role = roleOf(body, message)
    if (role === 'tool' || (rule.of === 'assistant' && role !== 'assistant')) return false
    if (rule.acceptsLast && role === 'assistant' && message === messages.at(-1)) return false
    const kind = emptyContentOf(body, message.fields.get(names.content))
    return kind !== undefined && rule.refused.includes(kind) && !saysMore(body, message)
  }
  const isLeftOut = messages.map(refused)
  const remaining = messages.filter((_, index) => !isLeftOut[index])
  if (!remaining.some(each => roleOf(body, each) === 'user')) return body
  const cuts = rules['assistant-after-tool']
    ? filled(body, messages, isLeftOut)
    : elementCuts(messages, isLeftOut)
  if (rule.refused.includes('text'))
    for (const each of remaining)
      cuts.push(...textCuts(body, each.fields.get(names.content), rule.refused))
  return cuts.length === 0 ? body : spliced(body, cuts)
}

const bridge = JSON.stringify({ role: 'assistant', content: bridgeText })

/** A turn of the model stays between a tool's result and the user, with words. */
const filled = (
  body: Buffer,
  messages: readonly MessageBytes[],
  isLeftOut: readonly boolean[],
): Cut[] => {
  const isCut = [...isLeftOut]
  const cuts: Cut[] = []
  let previous = ''
  for (const [index, message] of messages.entries()) {
    const next = messages[index + 1]
    const isBridge = isCut[index] && previous === 'tool' && next && isOfCaller(roleOf(body, next))
    if (isBridge) {
      isCut[index] = false
      cuts.push({ start: message.start, end: message.end, text: bridge })
    }
    if (!isCut[index]) previous = roleOf(body, message)
  }
  return [...cuts, ...elementCuts(messages, isCut)]
}

const isOfCaller = (role: string): boolean => role !== 'tool' && role !== 'assistant'

/** Cuts elements out of a list, each with the comma that separates it. */
const elementCuts = (elements: readonly Range[], isLeftOut: readonly boolean[]): Cut[] => {
  const cuts: Cut[] = []
  let hasKept = false
  for (const [index, { start, end }] of elements.entries()) {
    if (!isLeftOut[index]) hasKept = true
    else if (hasKept) cuts.push({ start: elements[index - 1]!.end, end, text: '' })
    else cuts.push({ start, end: elements[index + 1]?.start ?? end, text: '' })
  }
  return cuts
}

/** Cuts empty texts out of a list that has other content. A list of nothing else becomes an empty text. */
const textCuts = (
  body: Buffer,
  content: Range | undefined,
  refused: readonly EmptyContent[],
): Cut[] => {
  if (!content || body[content.start] !== 0x5b) return []
  const parts = readElements(body, cursorOf(body, content.start, content.end), 1)
  if (parts.length === 0) return []
  const isEmpty = parts.map(part => {
    const written = shortText(body, part)
    const kind = written === '' ? undefined : textKind(JSON.parse(written))
    return kind !== undefined && refused.includes(kind)
  })
  if (!isEmpty.includes(false)) return [{ start: content.start, end: content.end, text: '""' }]
  // A result of a tool has a list of its own.
  const inner = parts.flatMap(each => textCuts(body, each.fields.get('content'), refused))
  return [...elementCuts(parts, isEmpty), ...inner]
}

const spliced = (body: Buffer, cuts: readonly Cut[]): Buffer => {
  const pieces: Buffer[] = []
  let from = 0
  for (const { start, end, text } of [...cuts].sort((a, b) => a.start - b.start)) {
    pieces.push(body.subarray(from, start), Buffer.from(text))
    from = end
  }
  return Buffer.concat([...pieces, body.subarray(from)])
}

const roleOf = (body: Buffer, { fields }: MessageBytes): string => {
  const range = fields.get('role')
  if (!range) return 'user'
  const role = body.toString('latin1', range.start + 1, range.end - 1)
  return role === 'model' ? 'assistant' : role
}

/** The message has a call, a refusal or audio instead of content. */
const saysMore = (body: Buffer, { fields }: MessageBytes): boolean =>
  otherContent.some(name => {
    const range = fields.get(name)
    return range !== undefined && !/^(null|""|\[\s*\])$/.test(shortText(body, range))
  })

const shortText = (body: Buffer, { start, end }: Range): string =>
  end - start > emptyListBytesMax ? '' : body.toString('utf8', start, end)

/** How a content is empty; undefined where it is not. */
const emptyContentOf = (body: Buffer, range: Range | undefined): EmptyContent | undefined => {
  if (!range) return 'missing'
  const first = body[range.start]
  if (first === 0x6e) return 'missing'
  const written = shortText(body, range)
  if (written === '' || (first !== 0x22 && first !== 0x5b)) return undefined
  const content: Json = JSON.parse(written)
  if (content === '') return 'string'
  if (typeof content === 'string') return content.trim() === '' ? 'blank' : undefined
  if (content.length === 0) return 'list'
  const kinds = content.map(textKind)
  if (kinds.includes(undefined)) return undefined
  return kinds.includes('blank') ? 'blank' : 'text'
}

const textKind = (part: Json): 'text' | 'blank' | undefined => {
  if (typeof part?.text !== 'string' || part.text.trim() !== '') return undefined
  return part.text === '' ? 'text' : 'blank'
}

const readMessages = (body: Buffer, list: string): MessageBytes[] => {
  const cursor = cursorOf(body)
  for (;;) {
    const token = step(cursor)
    if (token < open) return []
    const isList = token === open && cursor.depth === 2 && body[cursor.start] === 0x5b
    if (isList && isWord(body, cursor.keyStart, cursor.keyEnd, list))
      return readElements(body, cursor, 2)
  }
}

/** Reads the objects of the list at `depth`, in which the cursor stands or which it enters next. */
const readElements = (body: Buffer, cursor: Cursor, depth: number): MessageBytes[] => {
  const elements: MessageBytes[] = []
  let field: Range = { start: 0, end: 0 }
  if (cursor.depth < depth) step(cursor)
  for (;;) {
    const token = step(cursor)
    if (token < open || cursor.depth < depth) return elements
    const level = cursor.depth - depth - (token === open ? 1 : 0)
    if (token === close && level === 0) elements.at(-1)!.end = cursor.at
    else if (token === close && level === 1) field.end = cursor.at
    else if (token === close || level > 1) continue
    else if (level === 0) elements.push({ start: cursor.start, end: cursor.at, fields: new Map() })
    else {
      field = { start: cursor.start, end: cursor.at }
      const { keyStart, keyEnd } = cursor
      if (keyStart >= 0)
        elements.at(-1)!.fields.set(body.toString('latin1', keyStart + 1, keyEnd - 1), field)
    }
  }
}
