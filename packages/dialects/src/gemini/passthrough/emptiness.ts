import { listOf } from '../../decode-values.ts'
import { endOf, hasText, joinEmptiness, type ReadEmptiness } from '../../empty-answers/emptiness.ts'
import type { Json } from '../../json/json.ts'
import { ownEndWords } from '../../reasons/finish-reasons.ts'

const ownReasons = ownEndWords('gemini')

/** Answers of other methods than those that generate. */
const otherAnswers = ['totalTokens', 'embedding', 'embeddings', 'predictions']

/** Reads a frame or a whole answer. A blocked prompt has a reason and no candidates. */
export const readEmptiness: ReadEmptiness = body => {
  if (otherAnswers.some(each => body[each] !== undefined)) return undefined
  const candidates = listOf(body.candidates)
  if (candidates.length === 0) return endOf(body.promptFeedback?.blockReason, ownReasons)
  return joinEmptiness(
    candidates.map((candidate: Json) => {
      if (hasText(candidate?.content?.parts)) return undefined
      const reason = candidate?.finishReason
      return endOf(reason === unspecified ? '' : reason, ownReasons)
    }),
  )
}

const unspecified = 'FINISH_REASON_UNSPECIFIED'
