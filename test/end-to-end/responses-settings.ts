import type { Settings } from '@hub/contract'
import OpenAI from 'openai'
import { expect } from 'vitest'
import type { TestHub } from '../harness/test-hub.ts'

type Key = keyof Settings['responses']

/** The part of `settings.test.ts` that is about answers that the gateway keeps itself. */
export const responsesSettings = (hub: () => TestHub): Record<Key, () => Promise<void>> => {
  const set = (key: Key, value: string) => hub().admin.setOption(key, value)
  return {
    KeepResponsesEnabled: async () => {
      const { admin, upstream, gateway } = hub()
      const model = 'keeps-nothing'
      await admin.setPrice(model, 'tokens', 1)
      await admin.addChannel(`${upstream.url}/claude`, { type: 14, models: model })
      const { key } = await admin.addPerson(1_000_000)
      const client = new OpenAI({ apiKey: key, baseURL: `${gateway.url}/v1`, maxRetries: 0 })
      const isKept = async () => {
        const { id } = await client.responses.create({ model, input: 'Keep it.' })
        return client.responses.retrieve(id).then(
          () => true,
          () => false,
        )
      }
      expect(await isKept()).toBe(false)
      await set('KeepResponsesEnabled', 'true')
      expect(await isKept()).toBe(true)
      await set('KeepResponsesEnabled', 'false')
      expect(await isKept()).toBe(false)
    },
    KeepResponsesDays: async () => {
      // The job that reads it runs once an hour and has a test of its own.
      await set('KeepResponsesDays', '7')
      const rows = await hub().admin.api<{ key: string; value: string }[]>('GET', '/api/option/')
      expect(rows.find(each => each.key === 'KeepResponsesDays')?.value).toBe('7')
      await set('KeepResponsesDays', '30')
    },
  }
}
