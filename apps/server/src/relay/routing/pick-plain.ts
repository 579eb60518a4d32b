import type { App } from '../../core/app.ts'
import type { Channel } from '../channels/channel.ts'
import { type CooldownKey, cooldownEnd } from './cooldown.ts'
import { makeCandidates, pick, pickCoolingDown } from './pick.ts'

/** Picks one of these channels for a request that is no call of a model. */
export const pickPlain = (
  app: App,
  channels: readonly Channel[],
  key: CooldownKey,
): Channel | undefined => {
  const candidates = makeCandidates(channels)
  const criteria = {
    ...key,
    hasTools: false,
    stream: false,
    excluded: undefined,
    cooldownEnd: cooldownEnd(app),
    random: Math.random,
  }
  return pick(candidates, criteria) ?? pickCoolingDown(candidates, criteria)
}
