import { contract, type Endpoint } from '@hub/contract'
import { beforeAll, expect, it } from 'vitest'
import { onOneEngine, type TestApp, type TestClient, type TestUser } from '../../test/harness.ts'

type Case = { name: string; endpoint: Endpoint; url: string }

/** Every endpoint of the contract, at an id that belongs to nobody. */
const cases: Case[] = Object.entries(contract).flatMap(([resource, { base, endpoints }]) =>
  Object.entries(endpoints).map(([name, endpoint]: [string, Endpoint]) => ({
    name: `${resource}.${name}`,
    endpoint,
    url: `${base}${endpoint.path}`.replace(/:\w+/g, '999999').replace(/\*\w+/, 'no-such-model'),
  })),
)
const rank = { public: 0, optional: 0, user: 1, admin: 10, root: 100 }

let hub: TestApp
let visitors: [rank: number, title: string, visitor: TestClient][]
let user: TestUser

const contractTests = () => {
  it.each(cases)('$name lets in whom the contract lets in, and nobody else', async each => {
    // Signing in and out has its own tests, and would end the sessions of these.
    if (each.name.startsWith('sign-in.') || each.name === 'profile.createAccessToken') return
    for (const [level, title, visitor] of visitors) {
      const needed = rank[each.endpoint.access]
      const body = each.endpoint.method === 'GET' ? undefined : { note: 'incomplete on purpose' }
      const answer = await visitor.send(each.endpoint.method, each.url, body)
      const { status, text } = answer
      // Other refusals with this status, such as of a way to sign in that is switched off, come after the role is checked.
      const isRefused = status === 401 || answer.body?.code === 'access.denied'
      const expected = needed === 0 || level >= needed ? 'in' : level === 0 ? 401 : 403
      expect([title, isRefused ? status : 'in', text.slice(0, 80)]).toEqual([
        title,
        expected,
        text.slice(0, 80),
      ])
      expect(status, `${title}: ${text}`).toBeLessThan(500)
    }
  })

  it('an address answers the methods it has, and says which', async () => {
    for (const { endpoint, url } of cases) {
      const patched = await hub.guest().send('PATCH', url, 'not even JSON', {
        headers: { 'content-type': 'text/plain' },
      })
      expect([url, patched.status, patched.body.code]).toEqual([url, 405, 'route.method'])
      expect(String(patched.headers.allow)).toContain(endpoint.method)
      const options = await hub.guest().send('OPTIONS', url)
      expect(options.status).toBe(204)
    }
  })

  it("One Hub's GETs that changed something answer 405", async () => {
    for (const url of ['/api/user/token', '/api/channel/test/1'])
      expect((await hub.root.get(url)).status, url).toBe(405)
  })
}

const originTests = () => {
  it('S14 no Host and no absolute address opens a route', async () => {
    for (const host of ['x/?', 'x#', 'localhost', 'x/../api/status', 'a@b', ''])
      expect(
        (await hub.guest().send('GET', '/api/user/self', undefined, { headers: { host } })).status,
      ).toBe(401)
    for (const url of [
      '/api//user/self',
      '/api/user/%2e%2e/user/self',
      '/API/user/self',
      '/api/status/../user/self',
    ])
      expect((await hub.guest().get(url)).body?.success ?? false, url).toBe(false)
  })

  it('a request that another site made the browser send is refused', async () => {
    const foreign = [
      { origin: 'https://evil.example' },
      { origin: 'null' },
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
      { 'sec-fetch-site': 'none' },
    ]
    for (const headers of foreign) {
      const put = await user.send('PUT', '/api/user/self', { display_name: 'x' }, { headers })
      expect([headers, put.status, put.body.code]).toEqual([headers, 403, 'session.cross_origin'])
      const login = await hub.guest().send('POST', '/api/user/login', {}, { headers })
      expect(login.body.code).toBe('session.cross_origin')
    }
    const own = { origin: 'http://hub.example', 'sec-fetch-site': 'same-origin' }
    expect((await user.send('PUT', '/api/user/self', {}, { headers: own })).status).toBe(200)
  })

  it('S49 C11 behind a proxy that rewrites Host, Sec-Fetch-Site or the server address decides', async () => {
    const behindProxy = (headers: Record<string, string>) =>
      user.send('PUT', '/api/user/self', {}, { headers: { host: 'hub:3000', ...headers } })
    const origin = 'https://hub.example.com'
    expect((await behindProxy({ origin, 'sec-fetch-site': 'same-origin' })).status).toBe(200)
    expect((await behindProxy({ origin })).body.code).toBe('session.cross_origin')
    await hub.root.put('/api/option/', { key: 'ServerAddress', value: `${origin}/` })
    expect((await behindProxy({ origin })).status).toBe(200)
    for (const other of ['http://hub.example.com', 'https://hub.example.com.evil.example', 'x'])
      expect((await behindProxy({ origin: other })).status, other).toBe(403)
    const crossSite = { origin, 'sec-fetch-site': 'cross-site' }
    expect((await behindProxy(crossSite)).status).toBe(403)
  })

  it('an access token works from anywhere: no browser sends it on its own', async () => {
    const headers = { origin: 'https://tool.example', 'sec-fetch-site': 'cross-site' }
    expect((await hub.root.send('PUT', '/api/user/self', {}, { headers })).status).toBe(200)
  })

  it('an access token is taken with and without Bearer, and only whole', async () => {
    const as = (authorization: string) =>
      hub.guest({ headers: { authorization } }).get('/api/user/self')
    expect((await as(hub.accessToken)).status).toBe(200)
    expect((await as(`bearer ${hub.accessToken}`)).status).toBe(200)
    for (const wrong of [
      hub.accessToken.slice(0, -1),
      `${hub.accessToken}x`,
      '',
      'Bearer ',
      "' or 1=1 --",
    ])
      expect((await as(wrong)).status, wrong).toBe(401)
  })
}

onOneEngine('access', open => {
  beforeAll(async () => {
    hub = await open()
    user = await hub.person(1)
    visitors = [
      [0, 'a guest', hub.guest()],
      [1, 'a user', user],
      [10, 'an administrator', await hub.person(10)],
      [100, 'the super administrator', hub.root],
    ]
  })
  contractTests()
  originTests()
})
