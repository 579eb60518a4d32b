// npm run bench:selector: what it costs to choose a channel among 10 and among 10,000 of one model.
import { performance } from 'node:perf_hooks'
import type { App } from '../apps/server/src/core/app.ts'
import type { Channel } from '../apps/server/src/relay/channels/channel.ts'
import {
  billedModels,
  findCandidates,
  makeChannelIndex,
} from '../apps/server/src/relay/routing/channel-index.ts'
import { cooldownEnd, countFailure, isProbed } from '../apps/server/src/relay/routing/cooldown.ts'
import { pick } from '../apps/server/src/relay/routing/pick.ts'
import { providers } from '../packages/providers/src/index.ts'

/** A choice among 10,000 channels may cost this much more than one among 10: below 1 % of the CPU of a call. */
const differenceMaxMicros = 5
const counts = [10, 10_000] as const
const rounds = 21
const choices = 1_000
const model = 'gpt-4o'

const channelOf = (id: number): Channel => ({
  ...{ id, name: `c${id}`, provider: providers[0]!, baseUrl: '', other: '', options: {} },
  keys: [{ index: 1, credential: `key-${id}`, fingerprint: String(id), changedAt: 0 }],
  ...{ storedKeys: [], keyRotation: 'random', proxy: '', mapping: new Map(), headers: {} },
  ...{ customParameter: undefined, unsupportedDialect: undefined, keepsUnknownFields: false },
  ...{ preCost: 1, testModel: '', fingerprint: '', onlyChat: false, contextSizes: new Map() },
  ...{ groups: ['default'], models: [model], priority: id % 3, weight: 1 + (id % 7) },
  unstreamableModels: new Set(),
})

/** The part of an app that the choice reads. */
const app = { monotonic: () => performance.now() } as App

const indexOf = (count: number) => {
  const channels = Array.from({ length: count }, (_, at) => channelOf(at + 1))
  // A tenth of the channels cools down.
  for (const each of channels.filter(({ id }) => id % 10 === 0))
    countFailure(
      app,
      each.keys[0]!,
      { model, operation: 'chat' },
      {
        cooldownSeconds: 3_600,
        startsCooldown: true,
      },
    )
  return makeChannelIndex(new Map(channels.map(each => [each.id, each])))
}

const otherWork = new Uint8Array(2 ** 20)
/** Between two choices a gateway serves a call, so that little of the first is still in the caches of the processor. */
const doOtherWork = () => {
  for (let at = 0; at < otherWork.length; at += 64) otherWork[at]! += 1
}

const medianOf = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!

/** Microseconds of the median choice: candidates, the models that may be billed, and the channel. */
const measure = (index: ReturnType<typeof indexOf>): number => {
  const times: number[] = []
  for (let n = 0; n < choices; n++) {
    doOtherWork()
    const startedAt = performance.now()
    const candidates = findCandidates(index, 'default', model)!
    billedModels(candidates, model)
    pick(candidates, {
      ...{ model, operation: 'chat', endpoints: 'chat', hasTools: false, stream: true },
      ...{ promptTokens: 1_000, excluded: undefined, random: Math.random },
      ...{ cooldownEnd: cooldownEnd(app), isProbed: isProbed(app) },
    })
    times.push((performance.now() - startedAt) * 1_000)
  }
  return medianOf(times)
}

const indexes = counts.map(indexOf)
for (const each of indexes) measure(each)
// The rounds alternate, so that a busy machine slows both.
const pairs = Array.from({ length: rounds }, () => indexes.map(measure))
const [few, many] = counts.map((_, at) => medianOf(pairs.map(each => each[at]!))) as [
  number,
  number,
]
console.log(`   10 channels: ${few.toFixed(2)} µs\n10,000 channels: ${many.toFixed(2)} µs`)
console.log(`${(many - few).toFixed(2)} µs more, at most ${differenceMaxMicros}`)
if (many - few > differenceMaxMicros) process.exitCode = 1
