import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { SettingKey, Settings } from '@hub/contract'
import { expect } from 'vitest'
import { keepAlive } from '../harness/addresses/keep-alive.ts'
import { callApi } from '../harness/admin.ts'
import type { TestHub } from '../harness/test-hub.ts'

type Checks<K extends SettingKey> = Record<K, () => Promise<void>>

/** Answers as Uptime Kuma 1.23 does: two public documents of one status page. */
const startUptimeKuma = async () => {
  const documents: Record<string, unknown> = {
    '/api/status-page/main': {
      config: { slug: 'main', title: 'Main' },
      publicGroupList: [
        { id: 1, name: 'Models', weight: 1, monitorList: [{ id: 7, name: 'Chat', type: 'http' }] },
      ],
    },
    '/api/status-page/heartbeat/main': {
      heartbeatList: {
        7: [
          { status: 0, time: '2026-01-01 00:00:00.000', msg: 'secret of the network', ping: null },
          { status: 1, time: '2026-01-01 00:01:00.000', msg: '', ping: 12 },
        ],
      },
      uptimeList: { '7_24': 0.985 },
    },
  }
  const server = createServer(keepAlive, (request, response) => {
    const document = documents[request.url ?? '']
    response.statusCode = document ? 200 : 404
    response.end(JSON.stringify(document ?? { ok: false }))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}`, close: () => server.close() }
}

/** Pages with a form, a token in the address, or data of a user. */
const pagesWithoutCounter = [
  '/login',
  '/register',
  '/reset',
  '/user/reset?token=t',
  '/oauth/github?code=c',
  '/jump?url=x',
  '/playground',
  '/panel',
  '/panel/token',
  '/panel/setting',
  '/no-such-page',
  '/about/x',
]

/** The part of `settings.test.ts` that is about visitor counters. */
export const analyticsSettings = (hub: () => TestHub): Checks<keyof Settings['analytics']> => {
  const set = (key: SettingKey, value: string) => hub().admin.setOption(key, value)
  const policyOf = async (path: string) =>
    (await fetch(`${hub().gateway.url}${path}`)).headers.get('content-security-policy') ?? ''
  const policy = () => policyOf('/')
  const script = (n: number) => fetch(`${hub().gateway.url}/api/analytics/${n}.js`)
  const code =
    '<!-- counter --><script async src="https://stats.example/s.js" data-id="1"></script>\n<script>window.counted = 1</script>'
  return {
    AnalyticsCode: async () => {
      expect([await policy(), (await script(1)).status]).toEqual([
        expect.stringContaining("script-src 'self';"),
        404,
      ])
      await set('AnalyticsCode', code)
      expect(await policy()).toContain("script-src 'self' https://stats.example;")
      expect(await policy()).toContain("connect-src 'self' https://stats.example;")
      for (const path of ['/about', '/price', '/price/', '/?from=mail'])
        expect([path, await policyOf(path)]).toEqual([path, await policy()])
      for (const path of pagesWithoutCounter)
        expect([path, await policyOf(path)]).toEqual([path, expect.not.stringContaining('stats')])
      const served = await script(1)
      expect(await served.text()).toBe('window.counted = 1')
      expect(served.headers.get('content-type')).toContain('text/javascript')
      expect((await script(0)).status).toBe(404)
      const bearer = { bearer: hub().gateway.accessToken }
      for (const value of [
        '<img src=x onerror=alert(1)>',
        '<script src="http://stats.example/s.js"></script>',
        '<script src="https://stats.example/s.js" onload="alert(1)"></script>',
        '<script src="https://stats.example/s.js">text</script>',
        '<script>unclosed',
      ]) {
        const body = { key: 'AnalyticsCode', value }
        const response = await callApi(hub().gateway, bearer, 'PUT', '/api/option/', body)
        expect([value, response.code]).toEqual([value, 'setting.invalid'])
      }
      await set('AnalyticsCode', '')
    },
    AnalyticsHosts: async () => {
      await set('AnalyticsHosts', '*.collect.example')
      expect(await policy()).not.toContain('collect')
      await set('AnalyticsCode', code)
      expect(await policy()).toContain('https://stats.example https://*.collect.example')
      await set('AnalyticsCode', '')
      await set('AnalyticsHosts', '')
    },
  }
}

/** The part of `settings.test.ts` that is about the status page of Uptime Kuma. */
export const uptimeSettings = (hub: () => TestHub): Checks<keyof Settings['uptime']> => {
  const set = (key: SettingKey, value: string) => hub().admin.setOption(key, value)
  const statusPage = async () =>
    callApi<unknown>(
      hub().gateway,
      { bearer: hub().gateway.accessToken },
      'GET',
      '/api/user/dashboard/uptimekuma/status-page',
    )
  const checkUptime = async () => {
    const kuma = await startUptimeKuma()
    const bearer = { bearer: hub().gateway.accessToken }
    const on = { key: 'UptimeEnabled', value: 'true' }
    expect((await statusPage()).status).toBe(404)
    expect((await callApi(hub().gateway, bearer, 'PUT', '/api/option/', on)).code).toBe(
      'setting.incomplete',
    )
    await set('UptimeDomain', `${kuma.url}/`)
    await set('UptimePageName', 'missing')
    await set('UptimeEnabled', 'true')
    expect((await statusPage()).code).toBe('status_page.unavailable')
    await set('UptimePageName', 'main')
    const { data } = await statusPage()
    expect(data).toEqual({
      groups: [
        {
          name: 'Models',
          monitors: [
            {
              ...{ id: 7, name: 'Chat', status: 1, uptime: 0.985 },
              heartbeats: [
                { status: 0, time: '2026-01-01 00:00:00.000' },
                { status: 1, time: '2026-01-01 00:01:00.000' },
              ],
            },
          ],
        },
      ],
    })
    await set('UptimeEnabled', 'false')
    await set('UptimeDomain', '')
    await set('UptimePageName', '')
    kuma.close()
  }

  return {
    UptimeEnabled: checkUptime,
    UptimeDomain: checkUptime,
    UptimePageName: checkUptime,
  }
}

/** Settings of jobs that run too seldom for this test: the list shows what was written. */
export const storedOnly = <K extends SettingKey>(
  hub: () => TestHub,
  values: Record<K, string>,
): Checks<K> => {
  const entries = Object.entries<string>(values) as [K, string][]
  const check = async (key: K, value: string) => {
    const stored = async () => {
      const rows = await hub().admin.api<{ key: string; value: string }[]>('GET', '/api/option/')
      return rows.find(each => each.key === key)?.value ?? ''
    }
    const before = await stored()
    await hub().admin.setOption(key, value)
    expect(await stored()).toBe(value)
    await hub().admin.setOption(key, before)
  }
  return Object.fromEntries(
    entries.map(([key, value]) => [key, () => check(key, value)]),
  ) as Checks<K>
}
