import type { CandidateReason, TriedCandidate, VirtualCandidate } from '@hub/contract'
import type { App } from '../../core/app.ts'
import { type RequestTraits, unmetCondition } from './conditions.ts'
import { servingPricesOf } from './list.ts'
import { byTier, weightOf } from './order.ts'

/** The candidates in the order in which a request asks them, without asking: those of one tier by weight. */
export const tryConditions = async (
  app: App,
  candidates: readonly VirtualCandidate[],
  { group, traits }: { group: string; traits: RequestTraits },
): Promise<TriedCandidate[]> => {
  const tried = await Promise.all(
    candidates.map(async candidate => {
      const { channels, reason } = await servingPricesOf(app, candidate, group)
      return { candidate, channels, reason: unmetCondition(candidate, traits) ?? reason ?? null }
    }),
  )
  const able = tried.filter(each => each.reason === null)
  const weightByTier = new Map(
    byTier(able.map(each => each.candidate)).map(tier => [tier[0]!.tier, weightOf(tier)]),
  )
  return tried
    .map(({ candidate, channels, reason }) => {
      const { model, tier, weight } = candidate
      const share = reason === null ? weight / weightByTier.get(tier)! : 0
      return { model, group: candidate.group, tier, weight, share, channels, reason }
    })
    .sort((a, b) => rank(a.reason) - rank(b.reason) || a.tier - b.tier || b.share - a.share)
}

const rank = (reason: CandidateReason | null): number => (reason === null ? 0 : 1)
