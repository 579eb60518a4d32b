import type { ChatAnswer } from '../../canon.ts'
import type { Dialect, Encoded, EncodeOptions } from '../../dialect.ts'
import type { ReadResult } from '../../parsed-request.ts'
import { noUsage } from '../../usage.ts'
import { warningCollector } from '../../warnings.ts'
import { openaiResponses } from '../index.ts'
import { dialectId } from '../items.ts'
import { userItems } from '../request/messages.ts'
import { defaultId, encodeResponse } from '../response.ts'
import { encodeUsage } from '../usage.ts'
import { compacting, withTrigger } from './summary.ts'

/** Nobody can continue a compacted response by its id, so it is not stored. */
const read = (body: Buffer): ReadResult => {
  const result = openaiResponses.read(body)
  if (!result.ok) return result
  const { parsed } = result
  return parsed.state
    ? { ok: true, parsed: compacting(parsed, { ...parsed.state, store: false }) }
    : result
}

/** A response that failed keeps its own form, because a compacted one cannot say so. */
const encodeCompaction = (answer: ChatAnswer, options: EncodeOptions = {}): Encoded => {
  const { body, warnings } = encodeResponse(answer, options)
  const { id, created_at, output, usage, status } = body
  if (status === 'failed' || !options.request) return { body, warnings }
  const items = userItems(options.request, warningCollector(dialectId)).map((item, index) => ({
    id: defaultId('msg', String(id), index),
    ...item,
    status: 'completed',
  }))
  return {
    body: {
      ...{ id, object: 'response.compaction', created_at },
      output: [...items, ...(output as object[])],
      usage: usage ?? encodeUsage(noUsage()),
    },
    warnings,
  }
}

/**
 * The dialect of calls that compact a conversation. Their bodies are those of responses, and their answers have the user's
 * messages and one item that stands for all others: https://platform.openai.com/docs/api-reference/responses/compact
 */
export const openaiCompaction: Dialect = {
  ...openaiResponses,
  read,
  decodeRequest: body => openaiResponses.decodeRequest(withTrigger(body)),
  encodeResponse: encodeCompaction,
}
