import type { VirtualModelVersion } from '@hub/contract'
import type { T } from '../../ui/index.ts'
import { candidateText } from './candidate-text.ts'

/** Lines that a version has and the other one lacks. */
export type Differences = { added: string[]; removed: string[] }

/** Compares a version with the one before it; the first version adds all of its lines. */
export const differencesOf = (
  t: T,
  version: VirtualModelVersion,
  before: VirtualModelVersion | undefined,
): Differences => {
  const [lines, earlier] = [linesOf(t, version), before ? linesOf(t, before) : []]
  return {
    added: lines.filter(each => !earlier.includes(each)),
    removed: earlier.filter(each => !lines.includes(each)),
  }
}

const linesOf = (t: T, { enable, groups, candidates }: VirtualModelVersion): string[] => [
  t(enable ? 'common.enabled' : 'common.disabled'),
  t('virtual-models.forGroups', { groups: groups.join(', ') }),
  ...candidates.map(each => candidateText(t, each)),
]
