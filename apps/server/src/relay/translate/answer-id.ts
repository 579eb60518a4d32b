import type { AnswerMarks, Dialect } from '@hub/dialects'

/**
 * The id of a translated answer as clients of the caller's dialect expect it. It carries the mark, as do the ids of items
 * that are made from it: no vendor knows them.
 */
export const answerIdFor = (
  { answerIdPrefix = '' }: Dialect,
  id: string,
  { mark, from, to }: AnswerMarks,
): string => {
  const own = id.startsWith(answerIdPrefix) ? id.slice(answerIdPrefix.length) : id
  return answerIdPrefix + (from === to ? '' : mark) + own
}
