import { beforeEach, expect, it } from 'vitest'
import type { App } from '../../core/app.ts'
import type { Channel } from '../channels/channel.ts'
import type { ChannelKey } from '../channels/keys.ts'
import {
  cooldownEnd,
  countFailure,
  countRefusedKey,
  countSuccess,
  isProbed,
  keyCooldownEnd,
  startProbe,
} from './cooldown.ts'

let now: number
let app: App
let channelKey: ChannelKey
let channel: Channel
beforeEach(() => {
  now = 1_000
  app = { monotonic: () => now } as App
  channelKey = { index: 1 } as ChannelKey
  channel = { id: 1, keys: [channelKey] as readonly ChannelKey[] } as Channel
})

const key = { model: 'm', operation: 'chat' }
const fail = (times = 1, change: object = {}) => {
  for (let n = 0; n < times; n++)
    countFailure(app, channelKey, key, { cooldownSeconds: 5, startsCooldown: false, ...change })
}
const succeed = (times = 1) => {
  for (let n = 0; n < times; n++) countSuccess(app, channelKey, key)
}
const end = (other = key) => cooldownEnd(app)(channel, other)

it('the third failure within 30 seconds starts a cooldown of the configured length', () => {
  fail(2)
  expect(end()).toBe(0)
  fail()
  expect(end()).toBe(6_000)
  now = 5_999
  expect(end()).toBe(6_000)
  now = 6_000
  expect(end()).toBe(0)
})

it('failures further apart than the window start no cooldown', () => {
  for (let n = 0; n < 10; n++) {
    fail(2)
    now += 30_001
  }
  expect(end()).toBe(0)
})

it('a channel that answers most of its calls never cools down', () => {
  for (let n = 0; n < 100; n++) {
    fail()
    succeed(2)
    now += 10
    expect(end()).toBe(0)
  }
})

it('after a cooldown one failure starts the next, and one success ends the suspicion', () => {
  fail(3)
  now = 6_000
  fail()
  expect(end()).toBe(11_000)
  now = 11_000
  succeed()
  fail(2)
  expect(end()).toBe(0)
})

it('a cooldown that ended long ago is forgotten', () => {
  fail(3)
  now = 36_001
  fail()
  expect(end()).toBe(0)
})

it('a failure that names its delay starts the cooldown at once, and no success shortens it', () => {
  fail(1, { cooldownSeconds: 60, startsCooldown: true })
  succeed(10)
  fail()
  expect(end()).toBe(61_000)
})

it('a cooldown of zero seconds is none', () => {
  fail(9, { cooldownSeconds: 0, startsCooldown: true })
  expect(end()).toBe(0)
})

it('other models, operations and channels are not affected, and a changed channel starts anew', () => {
  fail(3)
  expect(end({ ...key, model: 'other' })).toBe(0)
  expect(end({ ...key, operation: 'embeddings' })).toBe(0)
  expect(cooldownEnd(app)({ ...channel, keys: [{ ...channelKey }] }, key)).toBe(0)
})

it('a refused key cools down for every model and operation', () => {
  expect(countRefusedKey(app, channel, channelKey, 5)).toBe(true)
  expect(end({ model: 'other', operation: 'embeddings' })).toBe(6_000)
  now = 6_000
  expect(end()).toBe(0)
})

it('a channel of several keys cools down while all of them do, and until the first is over', () => {
  const [one, two] = [channelKey, { index: 2 } as ChannelKey]
  channel = { ...channel, keys: [one, two] }
  fail(3)
  expect(end()).toBe(0)
  now = 2_000
  countFailure(app, two, key, { cooldownSeconds: 60, startsCooldown: true })
  expect(end()).toBe(6_000)
})

it('a refused key is left out for ten minutes while there is another, and all are tried again after the last', () => {
  const [one, two] = [channelKey, { index: 2 } as ChannelKey]
  channel = { ...channel, keys: [one, two] }
  expect(countRefusedKey(app, channel, one, 5)).toBe(false)
  expect(keyCooldownEnd(app)(one, key)).toBe(601_000)
  expect(end()).toBe(0)
  expect(countRefusedKey(app, channel, two, 5)).toBe(true)
  expect(end()).toBe(6_000)
  now = 6_000
  expect(keyCooldownEnd(app)(one, key)).toBe(0)
  expect(countRefusedKey(app, channel, one, 5)).toBe(false)
})

const probed = (other = key) => isProbed(app)(channel, other)
const probe = () => ({ firstByteAt: undefined as number | undefined })

it('after a cooldown one call at a time probes the key, for its model and operation only', () => {
  expect(startProbe(app, channelKey, key, probe())).toBeUndefined()
  fail(3)
  expect(startProbe(app, channelKey, key, probe())).toBeUndefined()
  now = 6_000
  expect(probed()).toBe(false)
  const end = startProbe(app, channelKey, key, probe())
  expect([probed(), probed({ ...key, model: 'other' })]).toEqual([true, false])
  expect(startProbe(app, channelKey, key, probe())).toBeUndefined()
  end?.()
  expect(probed()).toBe(false)
})

it('a probe ends with its first byte, and the next call is another until one was answered', () => {
  fail(3)
  now = 6_000
  const first = probe()
  startProbe(app, channelKey, key, first)
  first.firstByteAt = now
  expect(probed()).toBe(false)
  startProbe(app, channelKey, key, probe())
  expect(probed()).toBe(true)
  succeed()
  expect(probed()).toBe(false)
  expect(startProbe(app, channelKey, key, probe())).toBeUndefined()
})

it('a refused key is probed for every model, and is no longer refused once it answered', () => {
  const other = { ...channelKey, index: 2 }
  channel = { ...channel, keys: [channelKey, other] }
  countRefusedKey(app, channel, channelKey, 5)
  now += 600_000
  startProbe(app, channelKey, key, probe())
  channel = { ...channel, keys: [channelKey] }
  expect(probed({ model: 'other', operation: 'embeddings' })).toBe(true)
  succeed()
  expect(probed()).toBe(false)
  channel = { ...channel, keys: [channelKey, other] }
  expect(countRefusedKey(app, channel, other, 5)).toBe(false)
})

it('invented model names displace the oldest entries and are not collected without end', () => {
  fail(3)
  for (let n = 0; n < 1_000; n++)
    countFailure(
      app,
      channelKey,
      { ...key, model: `invented ${n}` },
      { cooldownSeconds: 5, startsCooldown: true },
    )
  expect(end()).toBe(0)
  expect(end({ ...key, model: 'invented 999' })).toBe(6_000)
})
