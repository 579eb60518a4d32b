import { beforeAll, expect, it } from 'vitest'
import { onOneEngine, type TestApp } from '../../../test/harness.ts'

onOneEngine('providers', open => {
  let hub: TestApp
  beforeAll(async () => {
    hub = await open()
  })

  it('every channel type is listed once, with its number and what it can be asked for', async () => {
    const { data } = (await hub.root.get('/api/providers')).body
    const types = data.map((each: { type: number }) => each.type)
    expect(new Set(types).size).toBe(types.length)
    const find = (id: string) => data.find((each: { id: string }) => each.id === id)
    expect(find('openai')).toMatchObject({
      type: 1,
      base_url: 'https://api.openai.com',
      operations: expect.arrayContaining([
        'chat',
        'embeddings',
        'moderations',
        'speech',
        'realtime',
      ]),
      dialects: ['openai-chat', 'openai-responses'],
      can_list_models: true,
    })
    expect(find('palm')).toMatchObject({ type: 11, operations: [] })
    expect(find('custom').options.type).toBe('object')
  })
})
