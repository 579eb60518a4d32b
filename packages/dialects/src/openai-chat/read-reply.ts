import type { ReplyFacts } from '../dialect.ts'
import { cursorOf } from '../json/cursor.ts'
import { inspect, noFacts, quartersOf } from './inspect.ts'
import { decodeUsage } from './usage.ts'

/** A good status proves nothing: some vendors put a refusal, or nothing, under it. */
export const readReply = (body: Buffer): ReplyFacts => {
  const facts = noFacts()
  if (!inspect(cursorOf(body), facts)) return { ok: false, failure: undefined }
  if (facts.isError || !facts.hasChoices) return { ok: false, failure: JSON.parse(body.toString()) }
  const usage =
    facts.usageEnd > 0
      ? decodeUsage(JSON.parse(body.toString('utf8', facts.usageStart, facts.usageEnd)))
      : undefined
  return { ok: true, usage, metered: Math.ceil(quartersOf(facts) / 4) }
}
