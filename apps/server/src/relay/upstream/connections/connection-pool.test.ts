import { setImmediate as nextTurn } from 'node:timers/promises'
import { beforeAll, expect, it } from 'vitest'
import { onOneEngine, type TestApp } from '../../../../test/harness.ts'
import type { Channel } from '../../channels/channel.ts'
import { closePools, release, takeConnection } from './connection-pool.ts'

onOneEngine('connections to upstreams', open => {
  let hub: TestApp
  beforeAll(async () => {
    hub = await open()
  })
  const makeTarget = () => ({
    channel: { proxy: '' } as Channel,
    credential: 'sk-one',
    origin: 'http://127.0.0.1:9',
  })

  it('S41 a connection is used again after one turn at the earliest, so that unasked bytes end it first', async () => {
    const target = makeTarget()
    const first = takeConnection(hub.app, target)
    release(hub.app, first)
    const second = takeConnection(hub.app, target)
    expect(second.client).not.toBe(first.client)
    await nextTurn()
    expect(takeConnection(hub.app, target).client).toBe(first.client)
    release(hub.app, second)
    closePools(hub.app, target.channel)
  })

  it('S41 a connection belongs to one channel, one credential and one origin', async () => {
    const target = makeTarget()
    const others = [
      { ...target, channel: { proxy: '' } as Channel },
      { ...target, credential: 'sk-two' },
      { ...target, origin: 'http://127.0.0.1:10' },
    ]
    const first = takeConnection(hub.app, target)
    release(hub.app, first)
    await nextTurn()
    for (const other of others) expect(takeConnection(hub.app, other).client).not.toBe(first.client)
    expect(takeConnection(hub.app, target).client).toBe(first.client)
    closePools(hub.app, target.channel)
    expect(takeConnection(hub.app, target).client).not.toBe(first.client)
  })
})
