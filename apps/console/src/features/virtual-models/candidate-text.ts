import type { VirtualCandidate } from '@hub/contract'
import { formatCount, type T } from '../../ui/index.ts'

/** The conditions of a candidate, each in a few words; none for one that takes every request. */
export const conditionTexts = (t: T, candidate: VirtualCandidate): string[] => {
  const { min_tokens: min, max_tokens: max, tools, images, from, until } = candidate
  return [
    ...(min === null ? [] : [t('virtual-models.condition.min', { count: formatCount(min) })]),
    ...(max === null ? [] : [t('virtual-models.condition.max', { count: formatCount(max) })]),
    ...(tools === 'any' ? [] : [t(`virtual-models.condition.tools.${tools}`)]),
    ...(images === 'any' ? [] : [t(`virtual-models.condition.images.${images}`)]),
    ...(from === '' ? [] : [t('virtual-models.condition.time', { from, until })]),
  ]
}

/** A candidate in one line: its model and group, its place, and its conditions. */
export const candidateText = (t: T, candidate: VirtualCandidate): string => {
  const { model, group, tier, weight, effort, parameters } = candidate
  return [
    group === '' ? model : t('virtual-models.inGroup', { model, group }),
    t('virtual-models.place', { tier, weight }),
    ...conditionTexts(t, candidate),
    ...(effort === ''
      ? []
      : [t('virtual-models.withEffort', { effort: t(`virtual-models.effort.${effort}`) })]),
    ...(parameters === '' ? [] : [parameters]),
  ].join(' · ')
}
