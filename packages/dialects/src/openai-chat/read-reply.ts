import type { ReplySummary } from '../dialect.ts'
import { cursorOf, rewind } from '../json/cursor.ts'
import { type Facts, inspect, noFacts, quartersOf } from './inspect.ts'
import { decodeUsage } from './usage.ts'

/** A good status proves nothing: some vendors put a refusal, or nothing, under it. */
export const readReply = (body: Buffer): ReplySummary => {
  const cursor = cursorOf(body)
  const facts = noFacts()
  if (!inspect(cursor, facts, false)) return { ok: false, failure: undefined }
  if (facts.isError || !facts.hasChoices) return { ok: false, failure: JSON.parse(body.toString()) }
  const usage = readUsage(body, facts)
  if (typeof usage === 'object') return { ok: true, usage, meteredTokens: 0 }
  // Nearly every vendor reports: only where none can be believed is the answer walked once more, to count its words.
  rewind(cursor, body, 0, body.length)
  inspect(cursor, facts)
  return { ok: true, usage, meteredTokens: Math.ceil(quartersOf(facts) / 4) }
}

const readUsage = (body: Buffer, { usageStart, usageEnd }: Facts) =>
  usageEnd > 0 ? decodeUsage(JSON.parse(body.toString('utf8', usageStart, usageEnd))) : undefined
