import { connect } from 'node:net'
import { brotliDecompressSync, gzipSync } from 'node:zlib'
import { sql } from 'kysely'
import { beforeAll, expect, it } from 'vitest'
import { retryTiming } from '../../../../test/harness/runner/retries.ts'
import { onOneEngine, type TestApp } from '../../test/harness.ts'
import { isTooDeep } from './body.ts'

const json = { 'content-type': 'application/json' }

let hub: TestApp

const responseTests = () => {
  it('answers wear the envelope, and refusals a code and a real status', async () => {
    const status = await hub.guest().get('/api/status')
    expect(status).toMatchObject({ status: 200, body: { success: true, message: '' } })
    expect(status.body.data).toMatchObject({ version: 'v0.14.13', system_name: 'One Hub' })
    const refused = await hub.guest().get('/api/user/self')
    expect(refused).toMatchObject({
      status: 401,
      body: { success: false, code: 'session.missing' },
    })
    expect(refused.body.message).toBe('Sign in first.')
  })

  it('every address works with and without the slash at its end', async () => {
    for (const url of ['/api/token/', '/api/token', '/api/prices', '/api/prices/', '/api/status/'])
      expect((await hub.root.get(url)).status, url).toBe(200)
  })

  it('every answer has a request id, and one of the caller does not become it', async () => {
    const { headers } = await hub.guest().send('GET', '/api/status', undefined, {
      headers: { 'request-id': 'forged', 'x-request-id': 'forged' },
    })
    expect(headers['x-oneapi-request-id']).toMatch(/^\d+$/)
    expect(headers['x-request-id']).toBe(headers['x-oneapi-request-id'])
  })

  it('C12 no answer of the admin API is stored by a browser or proxy, whatever it says', async () => {
    const user = await hub.person()
    const answers: [number, { status: number; headers: Record<string, unknown> }][] = [
      [200, await user.get('/api/user/self')],
      [200, await user.get('/api/token/')],
      [200, await hub.guest().get('/api/status')],
      [401, await hub.guest().get('/api/user/self')],
      [403, await user.get('/api/channel/')],
      [404, await user.get('/api/no-such-path')],
      [400, await user.get('/api/log/self?page=x')],
      [400, await hub.guest().signIn(user.username, 'wrong-password')],
    ]
    for (const [status, { headers, ...answer }] of answers) {
      expect(answer.status).toBe(status)
      expect([status, headers['cache-control']]).toEqual([
        status,
        expect.stringMatching(/\bno-store\b/),
      ])
    }
  })

  it('S49 browsers are told to keep to this site, and HSTS only over TLS', async () => {
    const plain = (await hub.guest().get('/api/status')).headers
    expect(plain).toMatchObject({
      'x-content-type-options': 'nosniff',
      'cross-origin-opener-policy': 'same-origin',
      'referrer-policy': 'same-origin',
      'cache-control': 'no-store',
    })
    expect(plain['content-security-policy']).toBe("default-src 'none'; frame-ancestors 'none'")
    const page = (await hub.guest().get('/')).headers
    expect(page['content-security-policy']).toContain("script-src 'self';")
    expect(page['content-security-policy']).toContain("frame-ancestors 'none'")
    for (const name of [
      'access-control-allow-origin',
      'strict-transport-security',
      'server',
      'x-powered-by',
    ])
      expect(plain[name]).toBeUndefined()
    const forwarded = { 'x-forwarded-proto': 'https' }
    const tls = await hub.guest({ ip: '10.1.1.1', headers: forwarded }).get('/api/status')
    expect(tls.headers['strict-transport-security']).toBe('max-age=31536000')
    expect(tls.body.data.insecure).toBe(false)
    const forged = await hub.guest({ ip: '198.18.9.9', headers: forwarded }).get('/api/status')
    expect(forged.headers['strict-transport-security']).toBeUndefined()
    expect(forged.body.data.insecure).toBe(true)
  })
}

const inputTests = () => {
  it('S43 only JSON is read: other kinds, too much and too deep are refused', async () => {
    const post = async (body: string, headers: Record<string, string>) =>
      (await hub.root.send('POST', '/api/user_group/', body, { headers })).body.code
    const group = '{"symbol":"x","name":"x"}'
    for (const type of [
      'text/plain',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x',
      'application/jsonp',
      'application/json-patch+json',
      ' ',
    ])
      expect([type, await post(group, { 'content-type': type })]).toEqual([
        type,
        'request.media_type',
      ])
    expect(await post('{"symbol":', json)).toBe('request.unreadable')
    expect(await post(`"${'x'.repeat(1024 * 1024)}"`, json)).toBe('request.too_large')
    expect(await post('['.repeat(100_000), json)).toBe('request.too_deep')
    expect(await post('[1]', json)).toBe('request.invalid')
    expect(isTooDeep('{"a":"[[[[[[[[{{{{\\"[["}')).toBe(false)
  })

  it(
    'S45 keys that reach for a prototype do nothing, in a body and in a query',
    retryTiming,
    async () => {
      const body =
        '{"__proto__":{"role":100},"constructor":{"prototype":{"polluted":1}},"display_name":"x"}'
      expect((await hub.root.send('PUT', '/api/user/self', body, { headers: json })).status).toBe(
        200,
      )
      for (const key of ['__proto__', 'constructor', 'toString'])
        expect((await hub.root.get(`/api/user/?${key}=1`)).body.code).toBe('request.unknown_field')
      expect(({} as Record<string, unknown>).polluted).toBeUndefined()
      const keys = Array.from({ length: 50_000 }, (_, n) => `"k${n}":0`).join(',')
      const started = performance.now()
      await hub.root.send('PUT', '/api/user/self', `{${keys}}`, { headers: json })
      expect(performance.now() - started).toBeLessThan(2000)
    },
  )

  it('SEC-6 a NUL character is refused in every input, with the name of its field', async () => {
    const nul = 'a\0b'
    const refusals = await Promise.all([
      hub.guest().post('/api/user/register', { username: nul, password: 'a-password' }),
      hub.guest().post('/api/user/login', { username: nul, password: 'a-password' }),
      hub.root.post('/api/token/', { name: nul }),
      hub.root.post('/api/channel/', { name: 'n', type: 1, key: 'k', models: nul }),
      hub.root.get('/api/user/?keyword=%00'),
      hub.root.delete('/api/prices/single/%00'),
    ])
    expect(refusals.map(({ status, body }) => [status, body.code])).toEqual(
      refusals.map(() => [400, 'request.invalid']),
    )
    expect(refusals[0]?.body.message).toContain('`username`')
  })

  it('a field that comes twice is refused', async () => {
    expect((await hub.root.send('PUT', '/api/token/?id=1', { id: 2 })).body.code).toBe(
      'request.invalid',
    )
    expect((await hub.root.get('/api/log/?page=1&page=2')).body.code).toBe('request.invalid')
  })
}

const pageTests = () => {
  it('what is not there is 404: with the envelope for the console, in the shape of OpenAI for the rest', async () => {
    expect((await hub.guest().get('/api/nothing')).body).toMatchObject({
      success: false,
      code: 'route.unknown',
    })
    expect((await hub.guest().get('/v1/nothing')).body.error).toMatchObject({
      code: 'route_unknown',
      type: 'invalid_request_error',
    })
    expect((await hub.guest().post('/anything', {})).status).toBe(404)
  })

  it('HEAD answers as GET does, without a body', async () => {
    const head = await hub.guest().send('HEAD', '/api/status')
    expect([head.status, head.text]).toEqual([200, ''])
  })

  it('metrics are there for who knows the password, and otherwise not there', async () => {
    const as = (authorization: string) =>
      hub.guest({ headers: { authorization } }).get('/api/metrics')
    const basic = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`
    expect((await as(basic('prometheus:hunter2'))).text).toContain('http_requests_total')
    for (const wrong of [basic('prometheus:hunter3'), basic(''), 'Basic', hub.accessToken])
      expect((await as(wrong)).body).toMatchObject({ code: 'route.unknown' })
  })

  it('it is ready while it can take work', async () => {
    expect((await hub.guest().get('/healthz')).text).toBe('ok')
    expect((await hub.guest().get('/readyz')).text).toBe('ok')
  })

  it('the API document names every endpoint, and its page needs nothing inline', async () => {
    const { body } = await hub.guest().get('/api/openapi.json')
    expect(body.paths['/api/prices/single/{name}'].put).toMatchObject({
      'x-access': 'admin',
      operationId: 'prices.update',
    })
    expect(
      body.paths['/api/user/'].post.requestBody.content['application/json'].schema.required,
    ).toContain('username')
    expect((await hub.guest().get('/api/docs')).headers.location).toBe('/api/docs/')
    const page = await hub.guest().get('/api/docs/')
    expect(page.status).toBe(200)
    expect((await hub.guest().get('/api/docs/json')).body).toEqual(body)
    expect(page.text).not.toMatch(/<script>|<style>| style=| on\w+=/)
    expect((await hub.guest().get('/api/docs/static/swagger-ui.css')).status).toBe(200)
  })

  it('R22 a connection that never finishes its headers is let go', async () => {
    const { server } = hub.fastify
    expect(server.headersTimeout).toBe(15_000)
    expect(server.maxConnections).toBeGreaterThan(1000)
    const port = await hub.listen()
    const socket = connect(port, '127.0.0.1')
    const answered = new Promise<string>(resolve =>
      socket.once('data', data => resolve(String(data))),
    )
    socket.write('GET /api/status HTTP/1.1\r\nHost: x\r\nHost: y\r\n\r\n')
    expect(await answered).toMatch(/^HTTP\/1\.1 (200|400)/)
    socket.destroy()
  })
}

const compressionTests = () => {
  const get = (url: string, headers: Record<string, string>, remoteAddress = '198.18.0.1') =>
    hub.fastify.inject({
      url,
      remoteAddress,
      headers: { host: 'hub.example', 'accept-encoding': 'gzip, br', ...headers },
    })
  const sameOrigin = { 'sec-fetch-site': 'same-origin' }

  it('the console gets large JSON compressed, and small JSON as it is', async () => {
    const large = await get('/api/openapi.json', sameOrigin)
    expect(large.headers).toMatchObject({ 'content-encoding': 'br', vary: 'accept-encoding' })
    expect(JSON.parse(String(brotliDecompressSync(large.rawPayload)))).toHaveProperty('paths')
    const small = await get('/api/user/self', sameOrigin)
    expect(small.headers['content-encoding']).toBeUndefined()
    expect(small.json()).toHaveProperty('code', 'session.missing')
  })

  it('a request of another site, or one over TLS without its site, gets nothing compressed', async () => {
    const encoding = async (headers: Record<string, string>, ip?: string) =>
      (await get('/api/openapi.json', headers, ip)).headers['content-encoding']
    const tls = { 'x-forwarded-proto': 'https' }
    expect(await encoding({})).toBe('br')
    expect(await encoding({ ...tls, ...sameOrigin }, '10.1.1.1')).toBe('br')
    expect(await encoding(tls, '10.1.1.1')).toBeUndefined()
    for (const site of ['cross-site', 'same-site', 'none'])
      expect([site, await encoding({ 'sec-fetch-site': site })]).toEqual([site, undefined])
  })

  it('a compressed request body is refused, not unpacked', async () => {
    const body = gzipSync('{"symbol":"zipped","name":"zipped"}')
    const sent = await hub.root.send('POST', '/api/user_group/', body, {
      headers: { ...json, 'content-encoding': 'gzip' },
    })
    expect(sent.body).toMatchObject({ code: 'request.unreadable' })
  })
}

const failureTests = () => {
  it('a write that finds the disk full says so, and works again once there is space', async () => {
    const limitPages = (pages: string) =>
      hub.app.db
        .transaction()
        .execute(tx => sql`pragma max_page_count = ${sql.raw(pages)}`.execute(tx))
    const save = () => hub.root.put('/api/option/', { key: 'About', value: 'x'.repeat(90_000) })
    // SQLite never sets the limit below the present size of the file: https://www.sqlite.org/pragma.html#pragma_max_page_count
    await limitPages('1')
    const { status, body } = await save()
    await limitPages('4294967294')
    expect([status, body]).toEqual([
      507,
      {
        success: false,
        code: 'server.storage_full',
        message: expect.stringContaining('Free space'),
      },
    ])
    expect((await save()).status).toBe(200)
  })

  it('C12 C40 C41 a failure of the server is a 500 without a stack, a query or a path', async () => {
    const { db } = hub.app
    await sql`alter table owners rename to renamed_away`.execute(db)
    const { status, text, body, headers } = await hub.guest().get('/api/model_ownedby/')
    await sql`alter table renamed_away rename to owners`.execute(db)
    expect([status, body]).toEqual([
      500,
      { success: false, code: 'server.failed', message: expect.stringMatching(/^[A-Z][^:/]+\.$/) },
    ])
    expect(text).not.toMatch(/owners|renamed|select|SQL|node_modules|\.ts|\bat /i)
    expect(headers).not.toHaveProperty('server')
    expect((await hub.guest().get('/api/model_ownedby/')).status).toBe(200)
  })
}

onOneEngine('the HTTP server', open => {
  beforeAll(async () => {
    hub = await open({
      METRICS_USER: 'prometheus',
      METRICS_PASSWORD: 'hunter2',
      TRUSTED_PROXIES: '10.0.0.0/8',
    })
  })
  responseTests()
  inputTests()
  pageTests()
  compressionTests()
  failureTests()
})
