import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { codeAtStep, stepAt } from '../../apps/server/src/lib/credentials/totp.ts'
import { startTurnstileService } from '../../apps/server/test/sign-in/turnstile-service.ts'
import { callApi, type Person } from '../harness/admin.ts'
import { type MailServer, startMailServer } from '../harness/mail-server.ts'
import { describeEachEngine } from '../harness/runner/describe-engines.ts'
import { until } from '../harness/runner/until.ts'
import { githubApp, startFakeGitHub } from '../harness/sign-in/fake-github.ts'
import { startFakeWeChat } from '../harness/sign-in/fake-wechat.ts'
import { addPasskey } from '../harness/sign-in/passkeys.ts'
import { startTestHub, type TestHub } from '../harness/test-hub.ts'

type Challenge = { rpId: string; challenge: string }
type Begun = { require_2fa: true; token: string }

/** Requests that carry one secret to several processes at once. */
const requests = 6

describeEachEngine(engine => {
  let hub: TestHub
  let mailServer: MailServer
  let turnstile: Awaited<ReturnType<typeof startTurnstileService>>
  beforeAll(async () => {
    turnstile = await startTurnstileService('secret')
    mailServer = await startMailServer()
    hub = await startTestHub(engine, {
      // One SQLite file belongs to one process.
      instances: engine.name === 'PostgreSQL' ? 2 : 1,
      env: { TURNSTILE_ADDRESS: turnstile.address },
    })
  })
  afterAll(async () => {
    await hub?.close()
    await mailServer?.close()
    turnstile?.close()
  })

  const post = <T>(path: string, body: object, at = 0, cookie = '') =>
    callApi<T>(hub.gateways[at % hub.gateways.length]!, { cookie }, 'POST', path, body)
  /** Sends the request to each process in turn; returns the codes of the refusals. */
  const rush = async (path: string, bodyOf: (at: number) => object) => {
    const calls = Array.from({ length: requests }, (_, at) => post(path, bodyOf(at), at))
    return (await Promise.all(calls)).flatMap(each => (each.success ? [] : [each.code]))
  }
  const allButOne = (code: string) => Array(requests - 1).fill(code)
  const inEachProcess = (key: string, value: unknown) =>
    until(`${key} has reached every process`, async () => {
      const found = await Promise.all(
        hub.gateways.map(each => callApi<Record<string, unknown>>(each, {}, 'GET', '/api/status')),
      )
      return found.every(each => each.data[key] === value)
    })

  const enableTotp = async ({ cookie, password }: Person): Promise<string> => {
    const proof = { current_password: password }
    const { data } = await post<{ secret: string }>('/api/user/2fa/setup', proof, 0, cookie)
    const code = codeAtStep(data.secret, stepAt(Math.floor(Date.now() / 1000)))
    expect((await post('/api/user/2fa/enable', { code }, 0, cookie)).success).toBe(true)
    return data.secret
  }

  it('S21 one code of the authenticator app ends one of many sign-ins at the same time', async () => {
    const person = await hub.admin.addPerson(0)
    const secret = await enableTotp(person)
    const { username, password } = person
    const begun = await Promise.all(
      Array.from({ length: requests }, (_, at) =>
        post<Begun>('/api/user/login', { username, password }, at),
      ),
    )
    const code = codeAtStep(secret, stepAt(Math.floor(Date.now() / 1000)) + 1)
    const refused = await rush('/api/user/login/2fa', at => ({
      token: begun[at]!.data.token,
      code,
    }))
    expect(refused).toEqual(allButOne('second_factor.wrong'))
  })

  it('S21 one answer of a passkey signs in once, whichever process gets it', async () => {
    const person = await hub.admin.addPerson(0)
    const { authenticator } = await addPasskey(hub.gateway, person)
    const { data } = await post<Challenge>('/api/user/passkey/login/begin', {})
    const credential = authenticator.get(data)
    const refused = await rush('/api/user/passkey/login/finish', () => ({ credential }))
    expect(refused).toEqual(allButOne('passkey.expired'))
  })

  it('S17 one state of a third party signs in once, whichever process gets it', async () => {
    const site = await callApi<{ server_address: string }>(hub.gateway, {}, 'GET', '/api/status')
    const github = await startFakeGitHub(`${site.data.server_address}/oauth/github`)
    await hub.admin.setOption('GitHubClientId', githubApp.clientId)
    await hub.admin.setOption('GitHubServer', github.url)
    await hub.admin.setOption('GitHubClientSecret', githubApp.clientSecret)
    await hub.admin.setOption('GitHubOAuthEnabled', 'true')
    await inEachProcess('github_oauth', true)
    const begun = await fetch(`${hub.gateway.url}/api/oauth/endpoint?provider=github`)
    const cookies = begun.headers.getSetCookie().map(each => each.split(';')[0])
    const { data } = (await begun.json()) as { data: string }
    const { headers } = await fetch(data, { redirect: 'manual' })
    const { search } = new URL(headers.get('location')!)
    const answers = await Promise.all(
      Array.from({ length: requests }, (_, at) => {
        const gateway = hub.gateways[at % hub.gateways.length]!
        return callApi(gateway, { cookie: cookies.join('; ') }, 'GET', `/api/oauth/github${search}`)
      }),
    )
    const refused = answers.flatMap(each => (each.success ? [] : [each.code]))
    expect(refused).toEqual(allButOne('oauth.state'))
    await github.close()
  })

  it('C17 one code of an e-mail registers one account, whichever process gets it', async () => {
    await hub.admin.setOption('SMTPServer', '127.0.0.1')
    await hub.admin.setOption('SMTPPort', String(mailServer.port))
    await hub.admin.setOption('SMTPFrom', 'hub@example.com')
    await hub.admin.setOption('EmailVerificationEnabled', 'true')
    await inEachProcess('email_verification', true)
    const email = 'reader@example.com'
    expect((await post('/api/verification', { email })).success).toBe(true)
    await until('the code arrives', () => mailServer.emails.length > 0)
    const [verification_code] = /^\d{6}$/m.exec(mailServer.emails[0]?.text ?? '') ?? []
    const refused = await rush('/api/user/register', () => ({
      username: `new-${randomBytes(6).toString('hex')}`,
      password: 'a-password',
      email,
      verification_code,
    }))
    expect(refused).toEqual(allButOne('mail.code_wrong'))
    await hub.admin.setOption('EmailVerificationEnabled', 'false')
    await inEachProcess('email_verification', false)
  })

  it('S19 one link of an e-mail changes the password once, whichever process gets it', async () => {
    const person = await hub.admin.addPerson(0)
    const email = 'owner@example.com'
    await hub.admin.api('PUT', '/api/user/', { id: person.id, email })
    await hub.admin.setOption('PasswordResetEnabled', 'true')
    await inEachProcess('password_reset', true)
    expect((await post('/api/reset_password', { email })).success).toBe(true)
    const link = () =>
      mailServer.emails.map(each => /#token=([\w-]+)/.exec(each.text ?? '')?.[1]).find(Boolean)
    await until('the link arrives', () => link() !== undefined)
    const token = link()
    const passwords = Array.from({ length: requests }, (_, at) => `a-new-password-${at}`)
    const refused = await rush('/api/user/reset', at => ({ token, password: passwords[at] }))
    expect(refused).toEqual(allButOne('reset.expired'))
    const { username } = person
    const signIns = await Promise.all(
      passwords.map((password, at) => post('/api/user/login', { username, password }, at)),
    )
    expect(signIns.filter(({ success }) => success)).toHaveLength(1)
  })

  it('S21 one backup code ends one of many sign-ins at the same time', async () => {
    const person = await hub.admin.addPerson(0)
    const { username, password, cookie } = person
    const { data } = await post<{ secret: string }>(
      '/api/user/2fa/setup',
      { current_password: password },
      0,
      cookie,
    )
    const now = codeAtStep(data.secret, stepAt(Math.floor(Date.now() / 1000)))
    const enabled = await post<{ backup_codes: string[] }>(
      '/api/user/2fa/enable',
      { code: now },
      0,
      cookie,
    )
    const code = enabled.data.backup_codes[0]
    const begun = await Promise.all(
      Array.from({ length: requests }, (_, at) =>
        post<Begun>('/api/user/login', { username, password }, at),
      ),
    )
    const refused = await rush('/api/user/login/2fa', at => ({
      token: begun[at]!.data.token,
      code,
    }))
    expect(refused).toEqual(allButOne('second_factor.wrong'))
  })

  it('S17 one code of WeChat signs in once, whichever process gets it', async () => {
    const helper = await startFakeWeChat('helper-token')
    helper.codes.set('123456', 'o-ann')
    await hub.admin.setOption('WeChatServerAddress', helper.url)
    await hub.admin.setOption('WeChatServerToken', 'helper-token')
    await hub.admin.setOption('WeChatAccountQRCodeImageURL', 'https://hub.example/qr.png')
    await hub.admin.setOption('WeChatAuthEnabled', 'true')
    await inEachProcess('wechat_login', true)
    const browsers = await Promise.all(
      Array.from({ length: requests }, async (_, at) => {
        const gateway = hub.gateways[at % hub.gateways.length]!
        const begun = await callApi<{ state: string }>(
          gateway,
          {},
          'POST',
          '/api/oauth/wechat/begin',
          {},
        )
        const cookies = begun.headers.getSetCookie().map(each => each.split(';')[0])
        return { gateway, cookie: cookies.join('; '), state: begun.data.state }
      }),
    )
    const answers = await Promise.all(
      browsers.map(({ gateway, cookie, state }) =>
        callApi(gateway, { cookie }, 'GET', `/api/oauth/wechat?code=123456&state=${state}`),
      ),
    )
    const refused = answers.flatMap(each => (each.success ? [] : [each.code]))
    expect(refused).toEqual(allButOne('wechat.code_wrong'))
    helper.close()
  })

  it('S54 one token of the bot check registers one account, whichever process gets it', async () => {
    await hub.admin.setOption('TurnstileSiteKey', 'site-key')
    await hub.admin.setOption('TurnstileSecretKey', 'secret')
    await hub.admin.setOption('TurnstileCheckEnabled', 'true')
    await inEachProcess('turnstile_check', true)
    const token = turnstile.solve('register', 'localhost')
    const refused = await rush('/api/user/register', () => ({
      username: `new-${randomBytes(6).toString('hex')}`,
      password: 'a-password',
      turnstile: token,
    }))
    expect(refused).toEqual(allButOne('turnstile.refused'))
    await hub.admin.setOption('TurnstileCheckEnabled', 'false')
  })
})
