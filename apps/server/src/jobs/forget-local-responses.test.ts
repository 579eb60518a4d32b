import { beforeAll, expect, it } from 'vitest'
import { onBothEngines, type TestApp } from '../../test/harness.ts'
import * as localResponses from '../db/queries/local-responses.ts'
import * as vendorResponses from '../db/queries/vendor-responses.ts'
import forgetLocalResponses from './forget-local-responses.ts'

const daySeconds = 86_400

onBothEngines('forget-local-responses', open => {
  let hub: TestApp
  beforeAll(async () => {
    hub = await open()
  })

  it('local responses are deleted after the days of the setting; vendor-stored ones are not', async () => {
    const { db } = hub.app
    const now = Math.floor(hub.clock.now / 1_000)
    const common = { user_id: 1, size: 1, previous: null, content_sealed: 'sealed' }
    for (const [id, days] of [
      ['today', 0],
      ['week', 6],
      ['month', 29],
      ['older', 31],
    ] as const)
      await localResponses.add(db, {
        ...common,
        id,
        request_id: days,
        created_at: now - days * daySeconds,
      })
    const vendorStored = { id: 'vendor', user_id: 1, channel_id: 1, credential: '', request_id: 1 }
    await vendorResponses.add(db, { ...vendorStored, created_at: 0 })
    const remaining = async () => {
      await forgetLocalResponses.run(hub.app)
      return (await db.selectFrom('stored_answers').select('id').execute()).map(({ id }) => id)
    }
    expect((await remaining()).toSorted()).toEqual(['month', 'today', 'vendor', 'week'])
    await hub.root.put('/api/option/', { key: 'KeepResponsesDays', value: '7' })
    expect((await remaining()).toSorted()).toEqual(['today', 'vendor', 'week'])
    hub.clock.now += 8 * daySeconds * 1_000
    expect(await remaining()).toEqual(['vendor'])
  })
})
