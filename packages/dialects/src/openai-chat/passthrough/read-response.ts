import type { ReplySummary } from '../../dialect.ts'
import { cursorOf, rewind } from '../../json/cursor.ts'
import { outputTokens } from '../../usage.ts'
import { decodeUsage } from '../usage.ts'
import { type ChatFrame, emptyFrame, inspectFrame, weightedCharsOf } from './inspect-frame.ts'

/** Some vendors send an error, or an empty body, with a success status. */
export const readReply = (body: Buffer): ReplySummary => {
  const cursor = cursorOf(body)
  const frame = emptyFrame()
  if (!inspectFrame(cursor, frame, false)) return { ok: false, failure: undefined }
  if (frame.isError || !frame.hasChoices) return { ok: false, failure: JSON.parse(body.toString()) }
  const usage = readUsage(body, frame)
  if (typeof usage === 'object' && outputTokens(usage) > 0)
    return { ok: true, usage, meteredTokens: 0 }
  // Nearly every vendor reports usage. Only without it, or where it reports no output, a second pass weighs the texts.
  rewind(cursor, body, 0, body.length)
  inspectFrame(cursor, frame)
  return { ok: true, usage, meteredTokens: Math.ceil(weightedCharsOf(frame) / 4) }
}

const readUsage = (body: Buffer, { usageStart, usageEnd }: ChatFrame) =>
  usageEnd > 0 ? decodeUsage(JSON.parse(body.toString('utf8', usageStart, usageEnd))) : undefined
