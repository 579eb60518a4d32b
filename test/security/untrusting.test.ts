import { afterAll, beforeAll, expect, it } from 'vitest'
import { engines } from '../harness/engines.ts'
import { query } from '../harness/ledger.ts'
import { startTestHub, type TestHub } from '../harness/test-hub.ts'

let hub: TestHub
beforeAll(async () => {
  const [sqlite = { name: 'SQLite' as const, available: true }] = engines
  hub = await startTestHub(sqlite, { env: { TRUSTED_PROXIES: '' } })
})
afterAll(() => hub?.close())

it('S48 without a trusted proxy the logged address is the one of the socket', async () => {
  const person = await hub.admin.addPerson(1_000_000)
  const seen = await hub.ask({
    key: person.key,
    model: 'any:out=1',
    headers: {
      'x-forwarded-for': '203.0.113.9',
      'x-real-ip': '203.0.113.9',
      'cf-connecting-ip': '203.0.113.9',
    },
  })
  expect(seen.complete).toBe(true)
  await hub.settled()
  const [row] = await query(
    hub.gateway,
    `select source_ip from logs where user_id = ${person.id} and type = 2`,
  )
  expect(row?.source_ip).toBe('127.0.0.1')
})

it('S49 the relay answers any origin without credentials, the console API its own origin only', async () => {
  const origin = 'https://somewhere.example'
  const preflight = await fetch(`${hub.gateway.url}/v1/chat/completions`, {
    method: 'OPTIONS',
    headers: {
      origin,
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'authorization',
    },
  })
  expect(preflight.headers.get('access-control-allow-origin')).toBe('*')
  expect(preflight.headers.get('access-control-allow-credentials')).toBeNull()
  const admin = await fetch(`${hub.gateway.url}/api/status`, { headers: { origin } })
  expect(admin.headers.get('access-control-allow-origin')).toBeNull()
  const options = await fetch(`${hub.gateway.url}/api/user/self`, {
    method: 'OPTIONS',
    headers: { origin, 'access-control-request-method': 'PUT' },
  })
  expect(options.headers.get('access-control-allow-origin')).toBeNull()
})

it('S49 C11 a write that another site made the browser send is refused', async () => {
  const person = await hub.admin.addPerson(1_000_000)
  for (const [header, value] of [
    ['origin', 'https://evil.example'],
    ['sec-fetch-site', 'cross-site'],
    // A neighbour below the same domain is another site.
    ['sec-fetch-site', 'same-site'],
    ['origin', 'null'],
  ] as const) {
    const response = await fetch(`${hub.gateway.url}/api/token/`, {
      method: 'POST',
      headers: {
        cookie: person.cookie,
        'content-type': 'application/json',
        [header]: value,
      },
      body: JSON.stringify({ name: 'planted' }),
    })
    expect([value, response.status]).toEqual([value, 403])
  }
})

it('C12 S12 the content security policy allows scripts of this server only', async () => {
  for (const path of ['/', '/login', '/panel/channel', '/api/docs/']) {
    const { headers } = await fetch(`${hub.gateway.url}${path}`)
    const policy = Object.fromEntries(
      (headers.get('content-security-policy') ?? '').split(';').map(each => {
        const [name = '', ...sources] = each.trim().split(/\s+/)
        return [name, sources.join(' ')]
      }),
    )
    expect([path, policy]).toEqual([
      path,
      expect.objectContaining({
        'default-src': "'none'",
        'script-src': "'self'",
        'connect-src': "'self'",
        'object-src': "'none'",
        'base-uri': "'none'",
        'form-action': "'self'",
        'frame-ancestors': "'none'",
      }),
    ])
    // A more exact directive would win over `script-src`.
    expect(Object.keys(policy)).not.toContain('script-src-elem')
    expect(Object.keys(policy)).not.toContain('script-src-attr')
    expect(Object.values(policy).join(' ')).not.toMatch(/unsafe-eval|unsafe-hashes|\*/)
  }
  const { headers } = await fetch(`${hub.gateway.url}/api/status`)
  const json = headers.get('content-security-policy')
  expect(json).toBe("default-src 'none'; frame-ancestors 'none'")
})

it('C12 every answer of the console carries its protections', async () => {
  for (const path of ['/', '/api/status', '/login']) {
    const { headers } = await fetch(`${hub.gateway.url}${path}`)
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('referrer-policy')).toBe('same-origin')
    expect(headers.get('x-frame-options')).toBe('DENY')
    expect(headers.get('content-security-policy')).toMatch(/frame-ancestors 'none'/)
    // HSTS only over TLS: a first run on a plain address must not lock itself out.
    expect(headers.get('strict-transport-security')).toBeNull()
    expect(headers.get('x-powered-by')).toBeNull()
  }
})
