import type { AnswerSummary } from '../../dialect.ts'
import { cursorOf } from '../../json/cursor.ts'
import { readEmptiness } from './emptiness.ts'
import { usageOf } from './frame-observer.ts'
import { emptyFrame, inspect } from './inspect-frame.ts'

/** Checks the body too, because proxies may send an error or an empty body with status 200. */
export const readAnswer = (body: Buffer): AnswerSummary => {
  const frame = emptyFrame()
  if (!inspect(cursorOf(body), frame)) return { ok: false, failure: undefined }
  if (frame.isError || !frame.isAnswer) return { ok: false, failure: JSON.parse(body.toString()) }
  const usage =
    frame.usageEnd > 0
      ? usageOf(body.subarray(frame.usageStart, frame.usageEnd), frame.searches)
      : undefined
  const hasText = frame.weightedChars > 0
  const emptiness = hasText ? undefined : readEmptiness(JSON.parse(body.toString()))
  return { ok: true, usage, meteredTokens: Math.ceil(frame.weightedChars / 4), emptiness }
}
