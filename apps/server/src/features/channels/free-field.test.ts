import { beforeAll, expect, it } from 'vitest'
import { onBothEnginesInLongRuns, type TestApp } from '../../../test/harness.ts'

onBothEnginesInLongRuns('the free field of a channel', open => {
  let hub: TestApp
  const make = (more: object) =>
    hub.root.post('/api/channel/', {
      ...{ type: 17, name: 'vendor', models: 'qwen-plus', group: 'default', key: 'sk-made-up' },
      ...more,
    })
  beforeAll(async () => {
    hub = await open()
  })

  it('is refused where the type does not read it, unless an import stored it', async () => {
    const refused = await make({ other: '{"calculator":{}}' })
    expect([refused.status, refused.body.message]).toEqual([
      400,
      expect.stringContaining('`other`'),
    ])
    const tag = 'free field'
    const { id } = (await make({ tag })).body.data[0]
    const put = async (more: object) =>
      (await hub.root.put('/api/channel/', { id, ...more })).status
    expect(await put({ other: 'x' })).toBe(400)
    expect((await hub.root.put(`/api/channel_tag/${tag}`, { other: 'x' })).status).toBe(400)
    const stored = { other: 'stored' }
    await hub.app.db.updateTable('channels').set(stored).where('id', '=', id).execute()
    expect([await put({ ...stored, weight: 2 }), await put({ other: 'x' })]).toEqual([200, 400])
    const key = 'account|token'
    expect(await put({ type: 35, key })).toBe(400)
    expect(await put({ type: 35, key, other: '' })).toBe(200)
    const read = await make({ type: 24, key: 'sk-made-up', other: 'eastasia', models: 'tts-1' })
    expect(read.body.data[0].other).toBe('eastasia')
  })
})
