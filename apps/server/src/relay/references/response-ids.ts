import { type AnswerIds, noAnswerIds } from '@hub/dialects'
import type { CallResult } from '../../billing/open-hold.ts'
import type { Attempt } from '../context.ts'

/** Ids that are safe in a URL path and fit the database column. */
const idPattern = /^\w[\w.:-]{0,199}$/

export const isResponseId = (text: string): boolean => idPattern.test(text)

/** Parts of one answer whose owner is recorded. No answer of a vendor has as many. */
export const partsMax = 1_000

type NamedAnswer = { responseId?: string | undefined; answerIds?: (() => AnswerIds) | undefined }

/** The ids by which the caller may name the stored response and its parts. */
export const storedIds = (
  { storedBy }: Attempt,
  { responseId, answerIds }: NamedAnswer,
): Pick<CallResult, 'stored'> => {
  if (!storedBy) return {}
  const { credential, isResponseStored } = storedBy
  const { items, others } = answerIds?.() ?? noAnswerIds()
  const ids = isResponseStored ? [...others, ...items] : [...others]
  if (isResponseStored && responseId !== undefined) ids.unshift(responseId)
  const usable = [...new Set(ids.filter(isResponseId))].slice(0, partsMax)
  return usable.length === 0 ? {} : { stored: { ids: usable, credential } }
}
