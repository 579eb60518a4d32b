import type { Settings } from '@hub/contract'
import { expect } from 'vitest'
import {
  type MidjourneyProxy,
  startMidjourneyProxy,
  succeed,
} from '../../apps/server/test/tasks/midjourney-proxy.ts'
import { until } from '../harness/runner/until.ts'
import type { TestHub } from '../harness/test-hub.ts'

type Key = keyof Settings['midjourney']
type Client = {
  proxy: MidjourneyProxy
  submit(): Promise<string>
  show(id: string): Promise<{ status: string; imageUrl: string }>
}

/** The part of `settings.test.ts` that is about images of Midjourney. */
export const midjourneySettings = (hub: () => TestHub): Record<Key, () => Promise<void>> => {
  const set = (key: Key | 'ServerAddress', value: string) => hub().admin.setOption(key, value)
  const withProxy = async (check: (client: Client) => Promise<void>) => {
    const { admin, gateway } = hub()
    const proxy = await startMidjourneyProxy()
    try {
      await admin.addChannel(proxy.url, { type: 34, models: 'mj_imagine', key: proxy.secret })
      const { key } = await admin.addPerson(10_000_000)
      const headers = { 'content-type': 'application/json', 'mj-api-secret': key }
      await check({
        proxy,
        submit: async () => {
          const options = { method: 'POST', headers, body: JSON.stringify({ prompt: 'Cat' }) }
          const response = await fetch(`${gateway.url}/mj/submit/imagine`, options)
          return ((await response.json()) as { result: string }).result
        },
        show: async id =>
          (await (await fetch(`${gateway.url}/mj/task/${id}/fetch`, { headers })).json()) as never,
      })
      const channels = await admin.api<{ data: { id: number; type: number }[] }>(
        'GET',
        '/api/channel/?size=100',
      )
      for (const { id } of channels.data.filter(each => each.type === 34))
        await admin.api('DELETE', `/api/channel/${id}`)
    } finally {
      await proxy.close()
    }
  }
  const lastOf = ({ tasks }: MidjourneyProxy) => [...tasks.values()].at(-1)!
  return {
    MjNotifyEnabled: () =>
      withProxy(async ({ proxy, submit }) => {
        await set('ServerAddress', 'https://hub.example')
        await submit()
        expect(lastOf(proxy).body.notifyHook).toBeUndefined()
        await set('MjNotifyEnabled', 'true')
        await submit()
        expect(lastOf(proxy).body.notifyHook).toMatch(/^https:\/\/hub\.example\/mj\/notify\?task=/)
        await set('MjNotifyEnabled', 'false')
      }),
    MjForwardUrlEnabled: () =>
      withProxy(async ({ proxy, submit, show }) => {
        const id = await submit()
        succeed(proxy, lastOf(proxy))
        await until('it has ended', async () => (await show(id)).status === 'SUCCESS')
        expect((await show(id)).imageUrl).toMatch(`${hub().gateway.url}/mj/image/${id}?`)
        await set('MjForwardUrlEnabled', 'false')
        expect((await show(id)).imageUrl).toMatch(proxy.url)
        await set('MjForwardUrlEnabled', 'true')
      }),
  }
}
