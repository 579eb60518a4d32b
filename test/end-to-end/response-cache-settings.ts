import type { Settings } from '@hub/contract'
import { expect } from 'vitest'
import { callApi } from '../harness/admin.ts'
import type { TestHub } from '../harness/test-hub.ts'

type Key = keyof Settings['responseCache']

/** The part of `settings.test.ts` that is about answers of equal requests. */
export const responseCacheSettings = (hub: () => TestHub): Record<Key, () => Promise<void>> => {
  const set = (key: Key, value: string) => hub().admin.setOption(key, value)
  const withCache = async (
    work: (send: (prompt: string, body?: object) => Promise<string | null>) => Promise<void>,
  ) => {
    const { admin, gateway } = hub()
    const { cookie } = await admin.addPerson(1_000_000)
    const token = { name: 'cached', chat_cache: true }
    const made = await callApi<{ key: string }>(gateway, { cookie }, 'POST', '/api/token/', token)
    await set('ChatCacheEnabled', 'true')
    await work(async (prompt, body = {}) => {
      const response = await fetch(`${gateway.url}/v1/chat/completions`, {
        method: 'POST',
        headers: { authorization: `Bearer ${made.data.key}`, 'content-type': 'application/json' },
        body: JSON.stringify({
          ...{ model: 'any:out=1', temperature: 0, messages: [{ role: 'user', content: prompt }] },
          ...body,
        }),
      })
      await response.arrayBuffer()
      return response.headers.get('x-cache')
    })
    await set('ChatCacheEnabled', 'false')
  }
  /** Whether the first of two answers is still there once the second was stored. */
  const firstOfTwo = (name: string, body: (n: number) => object) =>
    withCache(async send => {
      for (const n of [1, 2]) expect(await send(`${name} ${n}`, body(n))).toBe('MISS')
      expect(await send(`${name} 1`, body(1))).toBe('MISS')
      expect(await send(`${name} 1`, body(1))).toBe('HIT')
    })
  return {
    ChatCacheEnabled: () =>
      withCache(async send => {
        await set('ChatCacheEnabled', 'false')
        expect([await send('off'), await send('off')]).toEqual([null, null])
        await set('ChatCacheEnabled', 'true')
        expect([await send('on'), await send('on')]).toEqual(['MISS', 'HIT'])
      }),
    ChatCacheExpireMinute: () =>
      withCache(async send => {
        // The cache counts monotonic time, so that the test for its end is that of the bounded cache.
        await set('ChatCacheExpireMinute', '1')
        expect([await send('brief'), await send('brief')]).toEqual(['MISS', 'HIT'])
        await set('ChatCacheExpireMinute', '5')
      }),
    ChatCacheSampledEnabled: () =>
      withCache(async send => {
        expect(await send('warm', { temperature: 1 })).toBeNull()
        await set('ChatCacheSampledEnabled', 'true')
        expect(await send('warm', { temperature: 1 })).toBe('MISS')
        await set('ChatCacheSampledEnabled', 'false')
      }),
    ChatCacheEntriesMax: async () => {
      await set('ChatCacheEntriesMax', '1')
      await firstOfTwo('entries', () => ({}))
      await set('ChatCacheEntriesMax', '10000')
    },
    ChatCacheMegabytesMax: async () => {
      await set('ChatCacheMegabytesMax', '1')
      // Two answers of 0.4 MB exceed the bound: they are stored encrypted and as text.
      await firstOfTwo('bytes', () => ({ model: 'any:out=100;size=4000' }))
      await set('ChatCacheMegabytesMax', '64')
    },
  }
}
