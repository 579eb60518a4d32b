import { beforeAll, expect, it } from 'vitest'
import { onBothEngines, type TestApp } from '../../test/harness.ts'
import * as kept from '../db/queries/kept.ts'
import * as stored from '../db/queries/stored.ts'
import forgetKept from './forget-kept.ts'

const daySeconds = 86_400

onBothEngines('forget-kept', open => {
  let hub: TestApp
  beforeAll(async () => {
    hub = await open()
  })

  it('answers that the gateway keeps go after the days of the setting, and not with what vendors keep', async () => {
    const { db } = hub.app
    const now = Math.floor(hub.clock.now / 1_000)
    const common = { user_id: 1, size: 1, previous: null, content_sealed: 'sealed' }
    for (const [id, days] of [
      ['today', 0],
      ['week', 6],
      ['month', 29],
      ['older', 31],
    ] as const)
      await kept.add(db, { ...common, id, request_id: days, created_at: now - days * daySeconds })
    const pin = { id: 'pin', user_id: 1, channel_id: 1, credential: '', request_id: 1 }
    await stored.add(db, { ...pin, created_at: 0 })
    const left = async () => {
      await forgetKept.run(hub.app)
      return (await db.selectFrom('stored_answers').select('id').execute()).map(({ id }) => id)
    }
    expect((await left()).toSorted()).toEqual(['month', 'pin', 'today', 'week'])
    await hub.root.put('/api/option/', { key: 'KeepResponsesDays', value: '7' })
    expect((await left()).toSorted()).toEqual(['pin', 'today', 'week'])
    hub.clock.now += 8 * daySeconds * 1_000
    expect(await left()).toEqual(['pin'])
  })
})
