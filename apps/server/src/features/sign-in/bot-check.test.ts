import { afterAll, beforeAll, expect, it } from 'vitest'
import { onBothEnginesInLongRuns, type TestApp } from '../../../test/harness.ts'
import { startTurnstileService } from '../../../test/sign-in/turnstile-service.ts'

type Service = Awaited<ReturnType<typeof startTurnstileService>>
let hub: TestApp
let service: Service
let names = 0

const set = (key: string, value: string) => hub.root.put('/api/option/', { key, value })
const secret = '0x4AAAAAAA-secret'

/** Every form with a bot check, its action, and the answer to a request that passes it. */
const forms = {
  login: ['/api/user/login', () => ({ username: 'nobody', password: 'x' }), 'sign_in.refused'],
  register: [
    '/api/user/register',
    () => ({ username: `bot-${++names}`, password: 'a-password' }),
    undefined,
  ],
  reset: ['/api/reset_password', () => ({ email: 'a@gmail.com' }), 'reset.disabled'],
  verification: ['/api/verification', () => ({ email: 'a@gmail.com' }), 'mail.unset'],
} as const
type Action = keyof typeof forms
const actions = Object.keys(forms) as Action[]

const send = async (action: Action, turnstile?: string) => {
  const [path, body] = forms[action]
  return (await hub.guest().post(path, { ...body(), ...(turnstile && { turnstile }) })).body.code
}

const keyTests = () => {
  it('S54 without a key every form is closed, and a super administrator signs in with the password', async () => {
    const status = async () => (await hub.guest().get('/api/status')).body.data
    await set('TurnstileCheckEnabled', 'false')
    const { username, password } = await hub.person()
    await set('TurnstileCheckEnabled', 'true')
    const signIn = async (name: string, word: string) =>
      (await hub.guest().signIn(name, word)).body.code ?? 'signed in'
    for (const key of ['TurnstileSecretKey', 'TurnstileSiteKey']) {
      const value = key === 'TurnstileSecretKey' ? secret : '0x4AAAAAAA-site'
      await set(key, '')
      expect((await status()).turnstile_check).toBe(false)
      for (const action of actions)
        expect([action, await send(action)]).toEqual([action, 'turnstile.unavailable'])
      expect(await signIn(username, password)).toBe('turnstile.unavailable')
      expect(await signIn(username, 'wrong')).toBe('turnstile.unavailable')
      expect(await signIn('root', 'wrong')).toBe('turnstile.unavailable')
      expect(await signIn('root', hub.rootPassword)).toBe('signed in')
      await set('TurnstileOutageAllowed', 'true')
      expect(await send('register')).toBe('turnstile.unavailable')
      await set('TurnstileOutageAllowed', 'false')
      await set(key, value)
    }
    expect(await signIn(username, password)).toBe('turnstile.missing')
    expect(await status()).toMatchObject({
      turnstile_check: true,
      turnstile_site_key: '0x4AAAAAAA-site',
    })
    expect(JSON.stringify(await status())).not.toContain(secret)
  })
}

const tokenTests = () => {
  it('S54 no form goes on without a token of its own, and each token is accepted once', async () => {
    for (const action of actions) {
      expect([action, await send(action)]).toEqual([action, 'turnstile.missing'])
      expect([action, await send(action, 'invented')]).toEqual([action, 'turnstile.refused'])
      const token = service.solve(action)
      expect([action, await send(action, token)]).toEqual([action, forms[action][2]])
      expect([action, await send(action, token)]).toEqual([action, 'turnstile.refused'])
    }
    const last = service.requests.at(-1)!
    expect(Object.fromEntries(last)).toMatchObject({
      secret,
      remoteip: expect.stringMatching(/^198\.18\./),
      idempotency_key: expect.stringMatching(/^[\da-f-]{36}$/),
    })
  })

  it('S54 a token of another form or another site is refused', async () => {
    for (const action of actions)
      for (const other of actions.filter(each => each !== action))
        expect(await send(action, service.solve(other))).toBe('turnstile.refused')
    const foreign = service.solve('login', 'evil.example')
    expect(await send('login', foreign)).toBe('turnstile.refused')
  })

  it('S54 one token signs up one account, however many requests carry it at once', async () => {
    const token = service.solve('register')
    const codes = await Promise.all(Array.from({ length: 6 }, () => send('register', token)))
    expect(codes.filter(code => code === undefined)).toHaveLength(1)
    expect(codes.filter(code => code === 'turnstile.refused')).toHaveLength(5)
  })

  it('S54 without an answer of the service requests are refused, unless a setting lets them pass', async () => {
    service.breakDown(true)
    expect(await send('register', service.solve('register'))).toBe('turnstile.unavailable')
    await set('TurnstileOutageAllowed', 'true')
    expect(await send('register', service.solve('register'))).toBeUndefined()
    expect(await send('register')).toBe('turnstile.missing')
    service.breakDown(false)
    expect(await send('register', 'invented')).toBe('turnstile.refused')
    await set('TurnstileOutageAllowed', 'false')
    await set('TurnstileSecretKey', 'another-secret')
    expect(await send('register', service.solve('register'))).toBe('turnstile.unavailable')
    await set('TurnstileSecretKey', secret)
  })

  it('C12 the pages may load its script only while it is on', async () => {
    const policy = async () =>
      String((await hub.guest().get('/login')).headers['content-security-policy'])
    const sources = async () => /script-src ([^;]*)/.exec(await policy())?.[1]?.trim()
    expect(await sources()).toBe("'self' https://challenges.cloudflare.com")
    await set('TurnstileCheckEnabled', 'false')
    expect(await sources()).toBe("'self'")
    expect(await send('register')).toBeUndefined()
    await set('TurnstileCheckEnabled', 'true')
  })
}

onBothEnginesInLongRuns('bot check', open => {
  beforeAll(async () => {
    service = await startTurnstileService(secret)
    hub = await open({ TURNSTILE_ADDRESS: service.address })
    await set('ServerAddress', 'https://hub.example')
    await set('TurnstileSiteKey', '0x4AAAAAAA-site')
    await set('TurnstileSecretKey', secret)
    await set('TurnstileCheckEnabled', 'true')
  })
  afterAll(() => service.close())
  keyTests()
  tokenTests()
})
