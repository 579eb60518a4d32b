import type { App } from '../../core/app.ts'
import { appScoped } from '../../core/app-scoped.ts'
import type { CallCounter } from '../../core/metrics.ts'
import type { Channel } from '../channels/channel.ts'
import { channelIndex } from './channel-index.ts'
import { isCoolingDown } from './cooldown.ts'

/** Bounds the number of time series. Attempts at further channels are counted together. */
const channelsMax = 2_000
const otherChannels = 'other'

const countersOf = appScoped(() => new Map<string, Map<string, CallCounter>>())

/** Counts an attempt by channel and outcome: `ok`, `caller.left` or a fault code. */
export const countAttempt = (app: App, { id }: Channel, outcome: string): void => {
  const counters = countersOf(app)
  const own = String(id)
  const channel = counters.has(own) || counters.size < channelsMax ? own : otherChannels
  const byOutcome = counters.get(channel) ?? new Map<string, CallCounter>()
  const counter = byOutcome.get(outcome) ?? app.metrics.channelAttempts(channel, outcome)
  counter.n++
  if (counter.n > 1) return
  byOutcome.set(outcome, counter)
  counters.set(channel, byOutcome)
}

export const addCooldownGauge = (app: App): void => {
  app.metrics.addGauge({
    name: 'hub_channels_cooling',
    help: 'Enabled channels that cool down, for one model at least',
    read: async () => {
      const { byId } = await channelIndex(app).get()
      return [...byId.values()].filter(each => isCoolingDown(app, each)).length
    },
  })
}
