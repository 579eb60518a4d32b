// npm run bench:selector: what it costs to choose among 10 channels of one model, and among 10,000.
import { performance } from 'node:perf_hooks'
import type { App } from '../apps/server/src/core/app.ts'
import type { Channel } from '../apps/server/src/relay/channels/channel.ts'
import type { CallContext } from '../apps/server/src/relay/context.ts'
import {
  billedModels,
  findCandidates,
  makeChannelIndex,
} from '../apps/server/src/relay/routing/channel-index.ts'
import { cooldownEnd, countFailure, isProbed } from '../apps/server/src/relay/routing/cooldown.ts'
import { type Candidates, type PickCriteria, pick } from '../apps/server/src/relay/routing/pick.ts'
import { noteChoice } from '../apps/server/src/relay/routing/route-note.ts'
import { providers } from '../packages/providers/src/index.ts'

/**
 * A choice among 10,000 channels may cost this much more than one among 10, mostly for memory that is in no cache of the
 * processor: below 2 % of the CPU of a call.
 */
const differenceMaxMicros = 10
/** In two installations of 10,000 channels the choice among all may cost this many times the choice among 10. */
const ratioMax = 1.5
const rounds = 21
const choices = 1_000

type Fleet = { title: string; channels: number; models: readonly string[] }
const modelNames = (count: number) => Array.from({ length: count }, (_, at) => `gpt-${at}`)
const fleets: readonly Fleet[] = [
  { title: '10 of 10 channels', channels: 10, models: modelNames(1) },
  { title: '10 of 10,000 channels', channels: 10_000, models: modelNames(1_000) },
  { title: '10,000 of 10,000 channels', channels: 10_000, models: modelNames(1) },
]

const channelOf = (id: number, model: string): Channel => ({
  ...{ id, name: `c${id}`, provider: providers[0]!, baseUrl: '', other: '', options: {} },
  keys: [{ index: 1, credential: `key-${id}`, fingerprint: String(id), changedAt: 0 }],
  ...{ storedKeys: [], keyRotation: 'random', proxy: '', mapping: new Map(), requestHeaders: {} },
  ...{ customParameter: undefined, unsupportedDialect: undefined, keepsUnknownFields: false },
  ...{ preCost: 1, testModel: '', fingerprint: '', onlyChat: false, contextSizes: new Map() },
  ...{ groups: ['default'], models: [model], priority: id % 3, weight: 1 + (id % 7) },
  unstreamableModels: new Set(),
})

/** The part of an app that the choice reads. */
const app = { monotonic: () => performance.now() } as App

const indexOf = ({ channels: count, models }: Fleet) => {
  const channels = Array.from({ length: count }, (_, at) =>
    channelOf(at + 1, models[Math.floor((at * models.length) / count)]!),
  )
  // A tenth of the channels cools down.
  for (const { id, keys, models } of channels)
    if (id % 10 === 0)
      countFailure(
        app,
        keys[0]!,
        { model: models[0]!, operation: 'chat' },
        { cooldownSeconds: 3_600, startsCooldown: true },
      )
  return makeChannelIndex(new Map(channels.map(each => [each.id, each])))
}

const otherWork = new Uint8Array(2 ** 20)
/** Between two choices a gateway serves a call, so that little of the first is still in the caches of the processor. */
const doOtherWork = () => {
  for (let at = 0; at < otherWork.length; at += 64) otherWork[at]! += 1
}

/** The mean without the slowest hundredth, in which the machine did something else. */
const typicalOf = (values: readonly number[]): number => {
  const kept = values.toSorted((a, b) => a - b).slice(0, Math.floor(values.length * 0.99))
  return kept.reduce((sum, each) => sum + each, 0) / kept.length
}

const medianOf = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!

type Measured = { fleet: Fleet; index: ReturnType<typeof indexOf> }

/** Microseconds of a choice: candidates, the models that may be billed, the channel, and what the log row says. */
const measure = ({ fleet, index }: Measured): number => {
  const times: number[] = []
  for (let n = 0; n < choices; n++) {
    const model = fleet.models[Math.floor(Math.random() * fleet.models.length)]!
    const criteria: PickCriteria = {
      ...{ model, operation: 'chat', endpoints: 'chat', hasTools: false, stream: true },
      ...{ promptTokens: 1_000, excluded: undefined },
      ...{ cooldownEnd: cooldownEnd(app), isProbed: isProbed(app) },
    }
    doOtherWork()
    const startedAt = performance.now()
    const candidates = findCandidates(index, 'default', model)!
    billedModels(candidates, model)
    const channel = pick(candidates, criteria)!
    noteChoice(app, contextOf(candidates), criteria, channel)
    times.push((performance.now() - startedAt) * 1_000)
  }
  return typicalOf(times)
}

/** The part of a call that the note reads. */
const contextOf = (candidates: Candidates) =>
  ({ target: { candidates }, startedAt: 0 }) as CallContext

const measured = fleets.map(fleet => ({ fleet, index: indexOf(fleet) }))
for (const each of measured) measure(each)
// The rounds alternate, so that a busy machine slows all.
const times = Array.from({ length: rounds }, () => measured.map(measure))
const [alone, few, many] = fleets.map((_, at) => medianOf(times.map(each => each[at]!))) as [
  number,
  number,
  number,
]
const lines = fleets.map(
  ({ title }, at) => `${title.padStart(25)}: ${[alone, few, many][at]!.toFixed(2)} µs`,
)
console.log(lines.join('\n'))
console.log(`${(many / few).toFixed(2)} times in equal installations, at most ${ratioMax}`)
console.log(
  `${(many - alone).toFixed(2)} µs more than with 10 channels, at most ${differenceMaxMicros}`,
)
if (many / few > ratioMax || many - alone > differenceMaxMicros) process.exitCode = 1
