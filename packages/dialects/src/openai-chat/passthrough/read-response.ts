import type { AnswerSummary } from '../../dialect.ts'
import { cursorOf, rewind } from '../../json/cursor.ts'
import { outputTokens } from '../../usage.ts'
import { decodeUsage, withTier } from '../usage.ts'
import { readEmptiness } from './emptiness.ts'
import {
  type ChatFrame,
  emptyFrame,
  inspectFrame,
  tierIn,
  weightedCharsOf,
} from './inspect-frame.ts'

/** Some vendors send an error, or an empty body, with a success status. */
export const readAnswer = (body: Buffer): AnswerSummary => {
  const cursor = cursorOf(body)
  const frame = emptyFrame()
  if (!inspectFrame(cursor, frame, false)) return { ok: false, failure: undefined }
  if (frame.isError || !frame.hasChoices) return { ok: false, failure: JSON.parse(body.toString()) }
  const usage = readUsage(body, frame)
  const others = [...frame.audioIds]
  const answerIds = others.length > 0 ? () => ({ items: [], others }) : undefined
  const emptiness =
    weightedCharsOf(frame) > 0 ? undefined : readEmptiness(JSON.parse(body.toString()))
  const parts = { answerIds, emptiness }
  if (typeof usage === 'object' && outputTokens(usage) > 0)
    return { ok: true, usage, meteredTokens: 0, ...parts }
  // Nearly every vendor reports usage. Only without it, or where it reports no output, a second pass weighs the texts.
  rewind(cursor, body, 0, body.length)
  inspectFrame(cursor, frame)
  return { ok: true, usage, meteredTokens: Math.ceil(weightedCharsOf(frame) / 4), ...parts }
}

const readUsage = (body: Buffer, frame: ChatFrame) => {
  const { usageStart, usageEnd } = frame
  if (usageEnd <= 0) return undefined
  const usage = decodeUsage(JSON.parse(body.toString('utf8', usageStart, usageEnd)))
  return withTier(usage, tierIn(body, frame))
}
