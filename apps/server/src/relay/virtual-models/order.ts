type Weighted = { tier: number; weight: number }

/** Orders candidates by tier, and by chance within one: each place is drawn by weight among those that are left. */
export const drawOrder = <T extends Weighted>(
  candidates: readonly T[],
  random: () => number = Math.random,
): T[] => byTier(candidates).flatMap(tier => drawTier(tier, random))

export const byTier = <T extends Weighted>(candidates: readonly T[]): T[][] =>
  [...Map.groupBy(candidates, each => each.tier)].sort(([a], [b]) => a - b).map(([, tier]) => tier)

export const weightOf = (candidates: readonly Weighted[]): number =>
  candidates.reduce((sum, each) => sum + each.weight, 0)

const drawTier = <T extends Weighted>(tier: readonly T[], random: () => number): T[] => {
  const left = [...tier]
  const drawn: T[] = []
  while (left.length > 0) {
    let point = random() * weightOf(left)
    const found = left.findIndex(({ weight }) => {
      point -= weight
      return point < 0
    })
    drawn.push(...left.splice(found === -1 ? left.length - 1 : found, 1))
  }
  return drawn
}
