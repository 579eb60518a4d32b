import type { KyselyPlugin } from 'kysely'
import { beforeAll, expect, it } from 'vitest'
import { onBothEngines, type TestApp } from '../../../test/harness.ts'
import * as topics from '../../db/queries/topics.ts'
import { openChangeNotifications } from '../../state/change-notifications.ts'
import { channelIndex, findCandidates } from './channel-index.ts'

let hub: TestApp

/** A second node with an own index, which counts the rows that its queries return. */
const openNode = async () => {
  const changes = await openChangeNotifications(hub.app.db, { pollMilliseconds: 60_000 })
  const read = { rows: 0 }
  const counter: KyselyPlugin = {
    transformQuery: ({ node }) => node,
    transformResult: async ({ result }) => {
      read.rows += result.rows.length
      return result
    },
  }
  const node = { ...hub.app, changes, callDb: hub.app.callDb.withPlugin(counter) }
  return { node, read, index: () => channelIndex(node).get() }
}

const addChannels = async (name: string, count: number, fields: object = {}) => {
  const key = Array.from({ length: count }, (_, n) => `${name}-${n}`).join('\n')
  const body = { type: 1, name, key, models: `${name},shared`, ...fields }
  return (await hub.root.post('/api/channel/', body)).body.data as { id: number }[]
}

onBothEngines('the channel index', open => {
  beforeAll(async () => {
    hub = await open()
  })

  it('a change makes every node read the changed channels only', async () => {
    const made = await addChannels('many', 30, { tag: 'many' })
    const { node, read, index } = await openNode()
    const before = new Map((await index()).byId)
    const [edited, disabled, removed] = made.map(({ id }) => id) as [number, number, number]
    for (const [change, rows] of [
      [() => hub.root.put('/api/channel/', { id: edited, models: 'new-model', priority: 5 }), 1],
      [() => hub.root.put('/api/channel/', { id: disabled, status: 2 }), 1],
      [() => hub.root.delete(`/api/channel/${removed}`), 1],
      [() => addChannels('added', 2), 2],
      [() => hub.root.put('/api/channel_tag/many/priority', { type: 'priority', value: 3 }), 29],
    ] as const) {
      await change()
      read.rows = 0
      await node.changes.sync()
      // The version of the topic is one more row.
      expect(read.rows).toBe(rows + 1)
    }
    const after = await index()
    const ids = (model: string) =>
      findCandidates(after, 'default', model)?.tiers.map(tier => tier.channels.map(({ id }) => id))
    expect(ids('new-model')).toEqual([[edited]])
    expect(ids('many')?.flat()).toEqual(made.slice(3).map(({ id }) => id))
    expect([disabled, removed].map(id => after.byId.has(id))).toEqual([false, false])
    expect(before.has(removed)).toBe(true)
    await node.changes.close()
  })

  it('a version without a changed row, such as an earlier release writes, makes it read all channels', async () => {
    const [channel] = await addChannels('earlier', 1)
    const { node, index } = await openNode()
    const kept = (await index()).byId.get(channel!.id - 1)
    await hub.app.db
      .updateTable('channels')
      .set({ status: 2 })
      .where('id', '=', channel!.id)
      .execute()
    await topics.increment(hub.app.db, 'channels')
    await node.changes.sync()
    const after = await index()
    expect(after.byId.has(channel!.id)).toBe(false)
    expect(after.byId.get(channel!.id - 1)).toBe(kept)
    await node.changes.close()
  })

  it('the channels are in memory before the server listens', async () => {
    await hub.listen()
    expect(channelIndex(hub.app).get()).not.toBeInstanceOf(Promise)
  })
})
