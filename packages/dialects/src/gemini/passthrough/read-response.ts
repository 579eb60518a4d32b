import type { ReplySummary } from '../../dialect.ts'
import { cursorOf } from '../../json/cursor.ts'
import { usageOf } from './frame-observer.ts'
import { inspect, noFacts } from './inspect-frame.ts'

/** Checks the body too, because proxies may send an error or an empty body with status 200. */
export const readReply = (body: Buffer): ReplySummary => {
  const facts = noFacts()
  if (!inspect(cursorOf(body), facts)) return { ok: false, failure: undefined }
  if (facts.isError || !facts.isAnswer) return { ok: false, failure: JSON.parse(body.toString()) }
  const usage =
    facts.usageEnd > 0
      ? usageOf(body.subarray(facts.usageStart, facts.usageEnd), facts.searches)
      : undefined
  return { ok: true, usage, meteredTokens: Math.ceil(facts.weightedChars / 4) }
}
