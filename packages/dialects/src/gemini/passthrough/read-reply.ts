import type { ReplyFacts } from '../../dialect.ts'
import { cursorOf } from '../../json/cursor.ts'
import { inspect, noFacts } from './inspect.ts'
import { usageOf } from './listen.ts'

/** A good status proves nothing: what is between us and the vendor may put a refusal, or nothing, under it. */
export const readReply = (body: Buffer): ReplyFacts => {
  const facts = noFacts()
  if (!inspect(cursorOf(body), facts)) return { ok: false, failure: undefined }
  if (facts.isError || !facts.isAnswer) return { ok: false, failure: JSON.parse(body.toString()) }
  const usage =
    facts.usageEnd > 0
      ? usageOf(body.subarray(facts.usageStart, facts.usageEnd), facts.searches)
      : undefined
  return { ok: true, usage, metered: Math.ceil(facts.quarters / 4) }
}
