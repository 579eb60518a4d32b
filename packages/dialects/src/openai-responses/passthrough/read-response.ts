import type { AnswerSummary } from '../../dialect.ts'
import { cursorOf } from '../../json/cursor.ts'
import { outputIds } from '../../references/answer-ids.ts'
import { countTool } from '../usage.ts'
import { readEmptiness } from './emptiness.ts'
import { emptyFrame, inspect } from './inspect-frame.ts'
import { stringAt, usageWithTools } from './read-usage.ts'

/** Some vendors send an error, or an empty body, with a success status. */
export const readAnswer = (body: Buffer): AnswerSummary => {
  const frame = emptyFrame()
  if (!inspect(cursorOf(body), frame)) return { ok: false, failure: undefined }
  if (frame.isError || !frame.isResponse) return { ok: false, failure: JSON.parse(body.toString()) }
  const slice = (start: number, end: number): Buffer => body.subarray(start, end)
  const usage =
    frame.usageEnd > 0
      ? usageWithTools(
          slice(frame.usageStart, frame.usageEnd),
          frame.toolsEnd > 0 ? slice(frame.toolsStart, frame.toolsEnd) : undefined,
          frame.itemEnd > 0 ? toolCallsIn(slice(frame.itemStart, frame.itemEnd)) : new Map(),
          frame.tierEnd > 0 ? stringAt(body, frame.tierStart, frame.tierEnd) : undefined,
        )
      : undefined
  const responseId = frame.idEnd > 0 ? stringAt(body, frame.idStart, frame.idEnd) : undefined
  const { itemStart, itemEnd } = frame
  const answerIds = () =>
    outputIds(itemEnd > 0 ? JSON.parse(slice(itemStart, itemEnd).toString()) : [])
  const meteredTokens = Math.ceil(frame.weightedChars / 4)
  const emptiness = meteredTokens > 0 ? undefined : readEmptiness(JSON.parse(body.toString()))
  return { ok: true, usage, meteredTokens, emptiness, responseId, answerIds }
}

const toolCallsIn = (output: Buffer): ReadonlyMap<string, number> => {
  const toolCalls = new Map<string, number>()
  // Avoids parsing: most responses have no such item.
  if (!output.includes('_call"')) return toolCalls
  const items: unknown = JSON.parse(output.toString())
  for (const item of Array.isArray(items) ? items : []) countTool(toolCalls, item)
  return toolCalls
}
