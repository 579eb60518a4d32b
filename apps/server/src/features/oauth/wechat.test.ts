import { afterAll, beforeAll, expect, it } from 'vitest'
import { startFakeWeChat } from '../../../../../test/harness/sign-in/fake-wechat.ts'
import { onBothEnginesInLongRuns, type TestApp, type TestClient } from '../../../test/harness.ts'
import { codeAtStep, stepAt } from '../../lib/credentials/totp.ts'

let hub: TestApp
let helper: Awaited<ReturnType<typeof startFakeWeChat>>
let people = 0

const set = (key: string, value: string) => hub.root.put('/api/option/', { key, value })
const self = async (client: TestClient) => (await client.get('/api/user/self')).body.data
const isIn = async (client: TestClient) => (await client.get('/api/user/self')).status === 200

/** Another follower of the official account, with a code. */
const follow = (openid = `o-${++people}`) => {
  const code = String(100_000 + helper.codes.size)
  helper.codes.set(code, openid)
  return code
}
const begin = async (client: TestClient): Promise<string> =>
  (await client.post('/api/oauth/wechat/begin', {})).body.data.state
const login = (client: TestClient, code: string, state: string, more = {}) =>
  client.get(`/api/oauth/wechat?${new URLSearchParams({ code, state, ...more })}`)

const loginTests = () => {
  it('the first code of a follower makes an account, another one finds it', async () => {
    const first = hub.guest()
    const { body } = await login(first, follow('o-ann'), await begin(first))
    expect(body).toMatchObject({ success: true, data: { role: 1, wechat_id: 'o-ann' } })
    expect(await self(first)).toMatchObject({ id: body.data.id, has_password: false })
    const again = hub.guest()
    await login(again, follow('o-ann'), await begin(again))
    expect((await self(again)).id).toBe(body.data.id)
    const other = hub.guest()
    await login(other, follow(), await begin(other))
    expect((await self(other)).id).not.toBe(body.data.id)
  })

  it('S16 the empty answer to a wrong code is nobody, and five codes may be tried', async () => {
    const guest = hub.guest()
    const state = await begin(guest)
    for (let at = 0; at < 4; at += 1)
      expect((await login(guest, `wrong-${at}`, state)).body.code).toBe('wechat.code_wrong')
    helper.codes.set('blank', '  ')
    expect((await login(guest, 'blank', state)).body.code).toBe('wechat.code_wrong')
    expect((await login(guest, follow(), state)).body.code).toBe('oauth.state')
    expect(await isIn(guest)).toBe(false)
  })

  it('S17 a missing, foreign, late or used state and a used code are refused', async () => {
    const guest = hub.guest()
    const code = follow()
    expect((await guest.get(`/api/oauth/wechat?code=${code}`)).body.code).toBe('request.invalid')
    expect((await login(guest, code, 'made-up')).body.code).toBe('oauth.state')
    const foreign = await begin(hub.guest())
    expect((await login(guest, code, foreign)).body.code).toBe('oauth.state')
    const late = await begin(guest)
    hub.clock.now += 181_000
    expect((await login(guest, code, late)).body.code).toBe('oauth.state')
    const state = await begin(guest)
    expect((await login(guest, code, state)).status).toBe(200)
    const other = hub.guest()
    expect((await login(other, code, await begin(other))).body.code).toBe('wechat.code_wrong')
    expect((await login(guest, follow(), state)).body.code).toBe('oauth.state')
    const [one, two] = [hub.guest(), hub.guest()]
    const states = [await begin(one), await begin(two)] as const
    const shared = follow()
    const answers = await Promise.all([
      login(one, shared, states[0]),
      login(two, shared, states[1]),
    ])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400])
  })

  it('the helper gets its token, and a refused token is no wrong code', async () => {
    const guest = hub.guest()
    await set('WeChatServerToken', 'another-token')
    const { body } = await login(guest, follow(), await begin(guest))
    expect(body.code).toBe('oauth.unreachable')
    await set('WeChatServerToken', 'helper-token')
    expect(new Set(helper.requests)).toEqual(new Set(['GET /api/wechat/user']))
  })

  it('is offered while it is switched on, and registers nobody while registration is closed', async () => {
    const status = async () => (await hub.guest().get('/api/status')).body.data
    expect(await status()).toMatchObject({
      wechat_login: true,
      wechat_qrcode: 'https://hub.example/qr.png',
    })
    await set('RegisterEnabled', 'false')
    const guest = hub.guest()
    const closed = await login(guest, follow(), await begin(guest))
    expect(closed.body.code).toBe('registration.closed')
    await set('RegisterEnabled', 'true')
    await set('WeChatAuthEnabled', 'false')
    expect((await status()).wechat_login).toBe(false)
    expect((await guest.post('/api/oauth/wechat/begin', {})).body.code).toBe('oauth.disabled')
    await set('WeChatAuthEnabled', 'true')
  })
}

const bindTests = () => {
  it('S21 a bound account signs in by WeChat, after the second step', async () => {
    const user = await hub.person()
    const proof = { current_password: user.password }
    const bind = async (more: object) =>
      (await user.post('/api/oauth/wechat/bind', { state: await begin(user), ...more })).body
    expect((await bind({ wechat_code: follow('o-bea') })).code).toBe('password.wrong')
    expect((await bind({ wechat_code: follow('o-bea'), ...proof })).success).toBe(true)
    expect((await self(user)).wechat_id).toBe('o-bea')
    const other = await hub.person()
    const taken = await other.post('/api/oauth/wechat/bind', {
      state: await begin(other),
      wechat_code: follow('o-bea'),
      current_password: other.password,
    })
    expect(taken.body.code).toBe('oauth.bound')

    const { secret } = (await user.post('/api/user/2fa/setup', proof)).body.data
    const nextCode = () => {
      hub.clock.now += 30_000
      return codeAtStep(secret, stepAt(Math.floor(hub.clock.now / 1000)))
    }
    await user.post('/api/user/2fa/enable', { code: nextCode() })
    const guest = hub.guest()
    const { body } = await login(guest, follow('o-bea'), await begin(guest))
    expect(body.data).toEqual({ require_2fa: true, token: expect.any(String) })
    expect(await isIn(guest)).toBe(false)
    const step = { token: body.data.token, code: nextCode() }
    expect((await guest.post('/api/user/login/2fa', step)).body.data.id).toBe(user.id)

    const rebind = { state: await begin(user), wechat_code: follow('o-bea'), ...proof }
    const unproven = await user.post('/api/oauth/wechat/bind', rebind)
    expect(unproven.body.code).toBe('second_factor.needed')
    const proven = await user.post('/api/oauth/wechat/bind', { ...rebind, code: nextCode() })
    expect(proven.body.success).toBe(true)
    const removal = { type: 'wechat', ...proof, code: nextCode() }
    expect((await user.post('/api/user/unbind', removal)).body.code ?? '').toBe('')
    expect((await self(guest)).wechat_id).toBe('')
  })
}

onBothEnginesInLongRuns('WeChat', open => {
  beforeAll(async () => {
    helper = await startFakeWeChat('helper-token')
    hub = await open()
    await set('WeChatServerAddress', helper.url)
    await set('WeChatServerToken', 'helper-token')
    await set('WeChatAccountQRCodeImageURL', 'https://hub.example/qr.png')
    await set('WeChatAuthEnabled', 'true')
  })
  afterAll(() => helper.close())
  loginTests()
  bindTests()
})
