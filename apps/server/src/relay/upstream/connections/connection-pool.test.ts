import { setImmediate as nextTurn } from 'node:timers/promises'
import { beforeAll, expect, it } from 'vitest'
import { onOneEngine, type TestApp } from '../../../../test/harness.ts'
import { release, takeConnection } from './connection-pool.ts'

onOneEngine('connections to upstreams', open => {
  let hub: TestApp
  beforeAll(async () => {
    hub = await open()
  })
  const target = { channel: { proxy: '' }, credential: 'sk-one', origin: 'http://127.0.0.1:9' }

  const openOne = async (to = target) => {
    const lease = takeConnection(hub.app, to)
    release(hub.app, lease)
    await nextTurn()
    return lease.client
  }

  it('S41 a connection is used again after one turn at the earliest, so that unasked bytes end it first', async () => {
    const to = { ...target, origin: 'http://127.0.0.1:8' }
    const first = takeConnection(hub.app, to)
    release(hub.app, first)
    const second = takeConnection(hub.app, to)
    expect(second.client).not.toBe(first.client)
    // Promises that are kept in the same turn are too early: nothing was read from a socket since.
    await Promise.resolve()
    const third = takeConnection(hub.app, to)
    expect(third.client).not.toBe(first.client)
    await nextTurn()
    expect(takeConnection(hub.app, to).client).toBe(first.client)
    for (const each of [second, third]) release(hub.app, each)
  })

  it('S41 a connection belongs to one origin and one proxy', async () => {
    const first = await openOne()
    const viaProxy = { ...target, channel: { proxy: 'http://%s@127.0.0.1:7' } }
    const others = [
      { ...target, origin: 'http://127.0.0.1:10' },
      { ...target, channel: { proxy: 'http://127.0.0.1:7' } },
      viaProxy,
      // The name at the proxy is another one.
      { ...viaProxy, credential: 'sk-two' },
    ]
    const opened = []
    for (const other of others) opened.push(await openOne(other))
    expect(new Set([first, ...opened]).size).toBe(5)
  })

  it('channels and credentials share the connections of an origin', async () => {
    const first = await openOne()
    expect(await openOne({ ...target, channel: { proxy: '' }, credential: 'sk-two' })).toBe(first)
  })
})
