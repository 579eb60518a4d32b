import type { ReplySummary } from '../../dialect.ts'
import {
  type FrameAction,
  type FrameObserver,
  sseStreamObserver,
} from '../../framing/sse-stream-observer.ts'
import { type Cursor, cursorOf, isWord, rewind } from '../../json/cursor.ts'
import type { Usage } from '../../usage.ts'
import { decodeUsage, soldAs } from '../usage.ts'
import { type Facts, inspect, noFacts } from './inspect.ts'

/** Passes every event on but the last one, which carries the usage. */
export const tap = () => sseStreamObserver(listen())

/** The events that end a stream. A failed one is told in our words. */
const last = ['response.completed', 'response.incomplete', 'response.cancelled'] as const

const listen = (): FrameObserver => {
  const facts = noFacts()
  const tools = new Map<string, number>()
  let cursor: Cursor | undefined
  let reportedUsage: Buffer | undefined
  let used: Buffer | undefined
  let quarters = 0
  let id: string | undefined

  const keep = (bytes: Buffer): void => {
    reportedUsage = slice(bytes, facts.usageStart, facts.usageEnd)
    if (facts.toolsEnd > 0) used = slice(bytes, facts.toolsStart, facts.toolsEnd)
  }

  const hearItem = (bytes: Buffer): void => {
    const kind = soldAs(JSON.parse(bytes.toString('utf8', facts.itemStart, facts.itemEnd)))
    if (kind) tools.set(kind, (tools.get(kind) ?? 0) + 1)
  }

  const hear = (bytes: Buffer, start: number, end: number): FrameAction => {
    if (cursor) rewind(cursor, bytes, start, end)
    else cursor = cursorOf(bytes, start, end)
    // Some vendors send the closing word of another dialect behind their last event.
    if (!inspect(cursor, facts)) return isDone(bytes, start, end) ? 'drop' : 'malformed'
    if (facts.typeEnd === 0) return facts.isError ? 'error' : 'malformed'
    if (id === undefined && facts.idEnd > 0) id = textAt(bytes, facts.idStart, facts.idEnd)
    if (!isType(bytes, facts, 'response.audio.delta')) quarters += facts.quarters
    if (facts.usageEnd > 0) keep(bytes)
    if (facts.itemEnd > 0 && isType(bytes, facts, 'response.output_item.done')) hearItem(bytes)
    if (isType(bytes, facts, 'error') || isType(bytes, facts, 'response.failed')) return 'error'
    return last.some(each => isType(bytes, facts, each)) ? 'closing' : 'forward'
  }

  return {
    observe: hear,
    weightedChars: () => quarters,
    usage: () => (reportedUsage ? usageOf(reportedUsage, used, tools) : undefined),
    responseId: () => id,
  }
}

/** A text of a frame that was read already. */
const textAt = (bytes: Buffer, start: number, end: number): string =>
  JSON.parse(bytes.toString('utf8', start, end))

/** What the tokens were, and the tools: by the upstream's own count where it tells one, else by what it did. */
const usageOf = (
  reportedUsage: Buffer,
  used: Buffer | undefined,
  tools: ReadonlyMap<string, number>,
): Usage | 'broken' => {
  const usage = decodeUsage(JSON.parse(reportedUsage.toString()))
  if (usage === 'broken') return usage
  const counted = new Map(tools)
  const searches = used ? JSON.parse(used.toString()).web_search?.num_requests : undefined
  if (Number.isSafeInteger(searches) && searches >= 0) counted.set('web_search', searches)
  for (const [kind, calls] of counted) if (calls > 0) usage.tools[kind] = calls
  return usage
}

const slice = (bytes: Buffer, start: number, end: number): Buffer =>
  Buffer.from(bytes.subarray(start, end))

const isType = (bytes: Buffer, { typeStart, typeEnd }: Facts, type: string): boolean =>
  isWord(bytes, typeStart, typeEnd, type)

const isDone = (bytes: Buffer, start: number, end: number): boolean =>
  bytes[start] === 0x5b && bytes.toString('latin1', start, end).trim() === '[DONE]'

/** A good status proves nothing: some vendors put a refusal, or nothing, under it. */
export const readReply = (body: Buffer): ReplySummary => {
  const facts = noFacts()
  if (!inspect(cursorOf(body), facts)) return { ok: false, failure: undefined }
  if (facts.isError || !facts.isResponse) return { ok: false, failure: JSON.parse(body.toString()) }
  const slice = (start: number, end: number): Buffer => body.subarray(start, end)
  const usage =
    facts.usageEnd > 0
      ? usageOf(
          slice(facts.usageStart, facts.usageEnd),
          facts.toolsEnd > 0 ? slice(facts.toolsStart, facts.toolsEnd) : undefined,
          facts.itemEnd > 0 ? toolsIn(slice(facts.itemStart, facts.itemEnd)) : new Map(),
        )
      : undefined
  const answerId = facts.idEnd > 0 ? textAt(body, facts.idStart, facts.idEnd) : undefined
  return { ok: true, usage, meteredTokens: Math.ceil(facts.quarters / 4), responseId: answerId }
}

const toolsIn = (output: Buffer): ReadonlyMap<string, number> => {
  const tools = new Map<string, number>()
  // Most answers have no such item: they are not parsed for it.
  if (!output.includes('_call"')) return tools
  const items: unknown = JSON.parse(output.toString())
  for (const item of Array.isArray(items) ? items : []) {
    const kind = soldAs(item)
    if (kind) tools.set(kind, (tools.get(kind) ?? 0) + 1)
  }
  return tools
}
