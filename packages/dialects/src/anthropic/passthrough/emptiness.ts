import { listOf } from '../../decode-values.ts'
import { endOf, hasText, type ReadEmptiness } from '../../empty-answers/emptiness.ts'
import type { Json } from '../../json/json.ts'
import { ownEndWords } from '../../reasons/finish-reasons.ts'

const ownReasons = ownEndWords('anthropic')

/** Reads an event or a whole answer. Blocks other than text and thinking are output without a text too. */
export const readEmptiness: ReadEmptiness = event => {
  const { type, message, content, content_block: block, delta } = event
  if (type === 'message_start')
    return listOf(message?.content).some(isOutput) ? undefined : 'unfinished'
  if (type === 'content_block_start') return isOutput(block) ? undefined : 'unfinished'
  if (type === 'content_block_delta') return hasText(delta) ? undefined : 'unfinished'
  if (type === 'message_delta') return endOf(delta?.stop_reason, ownReasons)
  if (type !== 'message') return 'unfinished'
  return listOf(content).some(isOutput) ? undefined : endOf(event.stop_reason, ownReasons)
}

const isOutput = (block: Json): boolean =>
  block?.type === 'text' || block?.type === 'thinking' ? hasText(block) : block?.type !== undefined
