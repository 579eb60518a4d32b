import { randomBytes } from 'node:crypto'
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { contract, type Endpoint } from '@hub/contract'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { callApi, type Person } from '../harness/admin.ts'
import { describeOneEngineBeforeSoak } from '../harness/runner/describe-engines.ts'
import { startTestHub, type TestHub } from '../harness/test-hub.ts'
import { allEndpoints, fieldsOf, isSecretField } from './contract-calls.ts'
import { storedTexts } from './stored-texts.ts'

describeOneEngineBeforeSoak(engine => {
  let hub: TestHub
  let person: Person
  /** It belongs to a sign-in that somebody has begun. */
  let state: string
  const canary = `sk-canary-${randomBytes(16).toString('hex')}`
  beforeAll(async () => {
    hub = await startTestHub(engine, { env: { LOG_LEVEL: 'debug' } })
    await hub.admin.addChannel(`${hub.upstream.url}/canary`, {
      key: canary,
      models: 'canary:*',
    })
    await hub.admin.setPrice('canary:*', 'tokens', 1)
    await hub.admin.setOption('SMTPToken', canary)
    await hub.admin.setOption('RetryTimes', '0')
    await hub.admin.setOption('RetryCooldownSeconds', '0')
    person = await hub.admin.addPerson(1_000_000)
    state = (await callApi<string>(hub.gateway, {}, 'GET', '/api/oauth/state')).data
    for (const script of [
      'out=1',
      'status=401',
      'status=400',
      'reset=before',
      'reset=headers',
      'empty',
      'redirect',
    ])
      for (const stream of [false, true])
        await hub.ask({ key: person.key, model: `canary:${script}`, stream })
    await fetch(`${hub.gateway.url}/v1/models?key=${person.key}`)
    await hub.settled()
  })
  afterAll(() => hub?.close())

  const secrets = () => ({
    'channel key': canary,
    'user key': person.key,
    password: person.password,
    state,
    session: /hub=([\w-]{43})/.exec(person.cookie)?.[1] ?? 'none',
    'access token': hub.gateway.accessToken,
    'root key': hub.gateway.rootKey,
    'root password': hub.gateway.rootPassword,
    'master key': hub.gateway.masterKey,
  })
  const hits = (text: string) =>
    Object.entries(secrets())
      .filter(([, secret]) => text.includes(secret))
      .map(([name]) => name)

  it('the data directory and every file in it are closed to other users of the machine', () => {
    const { dataDir } = hub.gateway
    const files = readdirSync(dataDir, { recursive: true }).map(String)
    expect(files.length).toBeGreaterThan(0)
    const open = ['.', ...files].filter(each => (statSync(join(dataDir, each)).mode & 0o077) !== 0)
    expect(open).toEqual([])
  })

  it('S37 no secret is in a log line, whatever failed', () => {
    expect(hub.gateway.output().length).toBeGreaterThan(100)
    expect(hits(hub.gateway.output())).toEqual([])
  })

  it('S24 C38 no answer of the admin API carries a secret', async () => {
    const found: string[] = []
    for (const { base, endpoints } of Object.values(contract))
      for (const endpoint of Object.values(endpoints as Record<string, Endpoint>)) {
        if (endpoint.method !== 'GET' || endpoint.path.includes('logout')) continue
        const path = `${base}${endpoint.path}`.replace(/:\w+/g, '1')
        const response = await callApi(
          hub.gateway,
          { bearer: hub.gateway.accessToken },
          'GET',
          path,
        )
        const text = JSON.stringify(response)
        found.push(...hits(text).map(name => `${path}: ${name}`))
        // Nobody can read a sealed secret, so a response with one forgot to leave the field out.
        if (/"v1\.[\w-]{38,}"/.test(text)) found.push(`${path}: a sealed secret`)
      }
    expect(found).toEqual([])
  })

  it('S28 D1 the database holds no secret in plain text', async () => {
    for (const { name, text } of await storedTexts(hub.gateway, engine))
      expect([name, hits(text)]).toEqual([name, []])
  })

  it('S28 no credential is part of an address, or signs in from there', async () => {
    const inAddress = allEndpoints.flatMap(({ name, endpoint }) =>
      fieldsOf(endpoint)
        .filter(([, schema]) => isSecretField(schema))
        .filter(([field]) => endpoint.method === 'GET' || endpoint.path.includes(`:${field}`))
        .map(([field]) => `${name} ${field}`),
    )
    // Third parties send the browser back with these. Each is valid once, and for the browser that began only.
    expect(inAddress).toEqual([
      ...['oauth.loginByWeChat code', 'oauth.loginByWeChat state'],
      ...['oauth.callback code', 'oauth.callback state'],
    ])
    const { accessToken } = hub.gateway
    for (const field of ['access_token', 'token', 'key', 'authorization', 'api_key', 'hub']) {
      const path = `/api/user/self?${new URLSearchParams({ [field]: accessToken })}`
      expect([field, (await callApi(hub.gateway, {}, 'GET', path)).status]).toEqual([field, 401])
    }
    expect((await callApi(hub.gateway, {}, 'GET', `/api/user/self/${accessToken}`)).status).toBe(
      404,
    )
  })

  it('S23 C16 an unknown name and a wrong password look the same', async () => {
    const answerTo = async (username: string) => {
      const body = { username, password: 'not-the-password' }
      const response = await callApi(hub.gateway, {}, 'POST', '/api/user/login', body)
      return `${response.status} ${response.code} ${response.message}`
    }
    expect(await answerTo('nobody-at-all')).toBe(await answerTo(person.username))
  })

  it('S53 C15 guessing a password is stopped by address and by account', async () => {
    const victim = await hub.admin.addPerson(0)
    const tries = async (most: number, from?: string) => {
      const codes: (string | undefined)[] = []
      for (let at = 0; at < most; at += 1)
        codes.push(
          (
            await callApi(hub.gateway, from ? { from } : {}, 'POST', '/api/user/login', {
              username: victim.username,
              password: `guess-${at}`,
            })
          ).code,
        )
      return codes
    }
    const ofOne = await tries(60, '203.0.113.77')
    expect([ofOne[10], ofOne.at(-1)]).toEqual(['sign_in.locked', 'rate.critical'])
    expect((await tries(110)).at(-1)).toBe('sign_in.locked')
  })

  it('C12 C41 errors tell no version, path or stack', async () => {
    for (const path of [
      '/api/nowhere',
      '/v1/nowhere',
      '/.env',
      '/.git/config',
      '/api/user/9999999',
      '/metrics',
    ]) {
      const response = await fetch(`${hub.gateway.url}${path}`)
      const text = await response.text()
      expect([path, /node_modules|\.ts:\d+|at Object\.|Fastify/.test(text)]).toEqual([path, false])
      expect(response.headers.get('server')).toBeNull()
    }
    for (const path of ['/.env', '/.git/config']) {
      const text = await (await fetch(`${hub.gateway.url}${path}`)).text()
      expect(text).not.toMatch(/\[core\]|MASTER_KEY/)
    }
  })
})
