import { afterAll, beforeAll, expect, it } from 'vitest'
import { callApi } from '../harness/admin.ts'
import { query } from '../harness/ledger.ts'
import { rawRequest } from '../harness/raw-http.ts'
import { describeOneEngineBeforeSoak } from '../harness/runner/describe-engines.ts'
import { startTestHub, type TestHub } from '../harness/test-hub.ts'

const injections = [
  "sk-' OR pg_sleep(3)--",
  "sk-'; select pg_sleep(3); --",
  "sk-' UNION SELECT 1,2,3--",
  'sk-") OR 1=1 --',
  "sk-\\'; DROP TABLE users; --",
  "sk-' OR randomblob(300000000) OR '",
  'sk-%00',
  `sk-${'A'.repeat(5_000)}`,
]

describeOneEngineBeforeSoak(engine => {
  let hub: TestHub
  beforeAll(async () => {
    hub = await startTestHub(engine)
  })
  afterAll(() => hub?.close())

  it('S10 what looks like SQL in a key is a wrong key', async () => {
    const statuses = await Promise.all(
      ['authorization', 'x-api-key', 'x-goog-api-key', 'query'].flatMap(place =>
        injections.map(async text => {
          const safe = text.replace(/[^\x20-\x7e]/g, '')
          const path =
            place === 'query' ? `/v1/models?key=${encodeURIComponent(safe)}` : '/v1/models'
          const headers: Record<string, string> =
            place === 'query'
              ? {}
              : { [place]: place === 'authorization' ? `Bearer ${safe}` : safe }
          return (await fetch(`${hub.gateway.url}${path}`, { headers })).status
        }),
      ),
    )
    expect(statuses.filter(each => each !== 401)).toEqual([])
  })

  it('S10 what looks like SQL in a list, a name or an order is a word, and no table is lost', async () => {
    const words = ["' OR 1=1 --", "'; DROP TABLE logs; --", '%', '_', '\\', '" OR ""="']
    const bearer = { bearer: hub.gateway.accessToken }
    for (const word of words) {
      const text = encodeURIComponent(word)
      for (const path of [
        `/api/user/?keyword=${text}`,
        `/api/token/?keyword=${text}`,
        `/api/channel/?name=${text}`,
        `/api/log/?model_name=${text}`,
      ]) {
        const response = await callApi<{ data: unknown[] }>(hub.gateway, bearer, 'GET', path)
        expect([path, response.status, response.data?.data]).toEqual([path, 200, []])
      }
      const order = await callApi(hub.gateway, bearer, 'GET', `/api/user/?order=${text}`)
      expect(order.status).toBe(400)
    }
    expect(await query(hub.gateway, 'select count(*) as n from logs')).toHaveLength(1)
  })

  it('S14 a strange Host or an absolute address does not open a route', async () => {
    const tries = ['x/?', 'x#', 'localhost/api/status', 'x/../api/status', 'a@b', 'x:1/api/status?']
    for (const host of tries) {
      const answer = await rawRequest(
        hub.gateway.url,
        `GET /api/user/ HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`,
      )
      expect([host, /^HTTP\/1\.1 (400|401|403|404)/.test(answer)]).toEqual([host, true])
    }
    for (const target of [
      'http://x/api/status/../user/',
      '//x/api/user/',
      '/api/status/..%2fuser/',
      '/api/status%2f..%2fuser/',
      '/API/user/',
      '/api/user//',
      '/api//user/',
      '/api/user/%2e',
      '/%61pi/user/',
    ]) {
      const answer = await rawRequest(
        hub.gateway.url,
        `GET ${target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`,
      )
      expect([target, /"username"/.test(answer)]).toEqual([target, false])
      // The console answers every path that is no route, also while it is not built.
      const isRefused = /^HTTP\/1\.1 (400|401|403|404|405)/.test(answer)
      const isConsole = /^content-type: text\/(html|plain)/im.test(answer)
      expect([target, isRefused || isConsole]).toEqual([target, true])
    }
  })

  it('S15 S47 a key that shares any part with a key in the cache is unknown', async () => {
    const { key } = await hub.admin.addPerson(1_000)
    const statusOf = async (text: string) => {
      const headers = { authorization: `Bearer ${text}` }
      return (await fetch(`${hub.gateway.url}/v1/models`, { headers })).status
    }
    expect(await statusOf(key)).toBe(200)
    const others = Array.from(key.slice(3), (character, at) => {
      const other = character === 'x' ? 'y' : 'x'
      return `${key.slice(0, at + 3)}${other}${key.slice(at + 4)}`
    })
    const accepted: string[] = []
    const inOtherCase = [key.toLowerCase(), `sk-${key.slice(3).toUpperCase()}`]
    for (const other of [
      ...[...others, `${key}x`, key.slice(0, -1), `${key}${key}`],
      ...inOtherCase.filter(each => each !== key),
    ])
      if ((await statusOf(other)) !== 401) accepted.push(other)
    expect(accepted).toEqual([])
    expect(await statusOf(key)).toBe(200)
    // A stored key could be compared character by character; the hash of a key gives no time away.
    const stored = JSON.stringify(await query(hub.gateway, 'select * from tokens'))
    expect(stored).not.toContain(key)
  })

  it('S48 a header that claims another address changes nothing unless the proxy is trusted', async () => {
    const person = await hub.admin.addPerson(1_000_000, {
      setting: {
        limits: {
          limit_model_setting: { enabled: false, models: [] },
          limits_ip_setting: { enabled: true, whitelist: ['203.0.113.9'] },
        },
      },
    })
    const from = (address: string) =>
      hub.ask({
        key: person.key,
        model: 'any:out=1',
        headers: { 'x-forwarded-for': address, 'x-real-ip': address, forwarded: `for=${address}` },
      })
    // This gateway trusts loopback, so the test may set the address; entries left of the trusted hop do not count.
    expect((await from('203.0.113.9')).status).toBe(200)
    expect((await from('203.0.113.9, 198.51.100.1')).status).toBe(403)
    expect((await from('198.51.100.1')).status).toBe(403)
  })
})
