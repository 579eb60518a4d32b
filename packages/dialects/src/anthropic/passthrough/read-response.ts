import type { AnswerSummary } from '../../dialect.ts'
import { cursorOf, isWord } from '../../json/cursor.ts'
import { containerIn } from '../../references/answer-ids.ts'
import { decodeUsage } from '../usage.ts'
import { readEmptiness } from './emptiness.ts'
import { emptyFrame, inspect } from './inspect-frame.ts'

/** Checks the body too, because some vendors send an error or an empty body with status 200. */
export const readAnswer = (body: Buffer): AnswerSummary => {
  const frame = emptyFrame()
  if (!inspect(cursorOf(body), frame)) return { ok: false, failure: undefined }
  const { typeStart, typeEnd, usageStart, usageEnd } = frame
  if (frame.isError || !isWord(body, typeStart, typeEnd, 'message'))
    return { ok: false, failure: JSON.parse(body.toString()) }
  const usage =
    usageEnd > 0 ? decodeUsage(JSON.parse(body.toString('utf8', usageStart, usageEnd))) : undefined
  const answerIds = () => {
    const container = containerIn(body, 0, body.length)
    return { items: [], others: container === undefined ? [] : [container] }
  }
  const hasText = frame.weightedChars > 0
  const emptiness = hasText ? undefined : readEmptiness(JSON.parse(body.toString()))
  const meteredTokens = Math.ceil(frame.weightedChars / 4)
  return { ok: true, usage, meteredTokens, emptiness, answerIds }
}
