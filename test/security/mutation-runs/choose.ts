import type { SecurityMutation } from '../mutations/mutation.ts'
import type { Change } from './changes.ts'

type Choice = { chosen: SecurityMutation[]; leftOut: SecurityMutation[] }

/** Tests of time and memory run alone, and a copy of the project takes minutes for them. */
const isMeasure = ({ test }: SecurityMutation): boolean => test.includes('/measures/')

/**
 * Chooses the mutations whose guarded file or test file changed: those of the newest change first, and of one change one
 * for each guarded file before a second one. Those that changed and are not chosen are left out.
 */
export const chooseMutations = (
  mutations: readonly SecurityMutation[],
  changes: readonly Change[],
  max: number,
): Choice => {
  const ages = agesOf(changes)
  const seen = new Map<string, number>()
  const ranked = mutations.flatMap(mutation => {
    const age = Math.min(
      ...filesOf(mutation).map(file => ages.get(file) ?? Number.POSITIVE_INFINITY),
    )
    if (age === Number.POSITIVE_INFINITY) return []
    const key = `${age} ${mutation.file}`
    const turn = seen.get(key) ?? 0
    seen.set(key, turn + 1)
    return [{ mutation, age, turn }]
  })
  const ordered = ranked
    .toSorted((one, other) => one.age - other.age || one.turn - other.turn)
    .map(each => each.mutation)
  const chosen = ordered.filter(each => !isMeasure(each)).slice(0, max)
  return { chosen, leftOut: ordered.filter(each => !chosen.includes(each)) }
}

const filesOf = ({ file, test, also = [] }: SecurityMutation): string[] => [
  file,
  test,
  ...also.map(each => each.file),
]

/** How many changes ago each file was changed last. */
const agesOf = (changes: readonly Change[]): ReadonlyMap<string, number> => {
  const ages = new Map<string, number>()
  for (const [age, { files }] of changes.entries())
    for (const file of files) if (!ages.has(file)) ages.set(file, age)
  return ages
}
