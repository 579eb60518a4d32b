import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { makeGitHubUser } from '../../../../../test/harness/sign-in/fake-github.ts'
import { oidcApp } from '../../../../../test/harness/sign-in/oidc-server.ts'
import { onBothEnginesInLongRuns, type TestApp, type TestClient } from '../../../test/harness.ts'
import {
  begin,
  finish,
  signInWith,
  startThirdParties,
  visit,
} from '../../../test/sign-in/third-party.ts'
import { codeAtStep, stepAt } from '../../lib/credentials/totp.ts'

let hub: TestApp
let third: Awaited<ReturnType<typeof startThirdParties>>
let ids = 1000
const nextId = () => ++ids
const set = (key: string, value: string) => hub.root.put('/api/option/', { key, value })
const self = async (client: TestClient) => (await client.get('/api/user/self')).body.data
/** The last one was added by the operator. */
const ways = ['github', 'lark', 'oidc', 'company'] as const

/** Another person at every provider. */
const becomeNewPerson = () => {
  const id = nextId()
  third.github.state.user = makeGitHubUser(id)
  third.github.state.hostile = {}
  third.github.state.grantsEmails = true
  third.lark.state.user = { open_id: `ou_${id}`, name: `Lark ${id}`, avatar_url: '' }
  third.oidc.state.user = { sub: `sub-${id}`, preferred_username: `oidc-${id}`, name: `Oidc ${id}` }
  return id
}

const accountTests = () => {
  it.each(ways)('%s: the first sign-in makes an account, the next one finds it', async way => {
    const id = becomeNewPerson()
    const first = hub.guest()
    const { body } = await signInWith(first, way)
    expect(body).toMatchObject({ success: true, message: '' })
    const user = await self(first)
    expect(user).toMatchObject({ id: body.data.id, role: 1, group: 'default', has_password: false })
    if (way !== 'lark') expect(user.username).toBe(way === 'github' ? `octo-${id}` : `oidc-${id}`)
    else expect(user).toMatchObject({ display_name: `Lark ${id}`, lark_id: `ou_${id}` })
    const again = hub.guest()
    expect((await signInWith(again, way)).body.data.id).toBe(user.id)
    becomeNewPerson()
    expect((await signInWith(hub.guest(), way)).body.data.id).not.toBe(user.id)
  })

  it('S17 a state without PKCE serves a page that builds the address of GitHub itself', async () => {
    const id = becomeNewPerson()
    const guest = hub.guest()
    const { data: state } = (await guest.get('/api/oauth/state')).body
    const query = new URLSearchParams({ client_id: 'github-client', state, scope: 'user:email' })
    const back = await visit(`${third.github.url}/login/oauth/authorize?${query}`)
    expect((await finish(guest, 'github', back)).body.success).toBe(true)
    expect((await self(guest)).username).toBe(`octo-${id}`)
    const { data: plain } = (await guest.get('/api/oauth/state')).body
    expect((await finish(guest, 'oidc', { state: plain, code: 'x' })).body.code).toBe('oauth.state')
  })

  it('the site information names what is switched on and configured', async () => {
    const offered = async () => (await hub.guest().get('/api/status')).body.data
    expect(await offered()).toMatchObject({
      github_oauth: true,
      github_client_id: 'github-client',
      oidc_auth: true,
      lark_login: true,
      lark_client_id: 'cli_test',
    })
    await set('GitHubClientSecret', '')
    expect((await offered()).github_oauth).toBe(false)
    expect((await hub.guest().get('/api/oauth/endpoint?provider=github')).body.code).toBe(
      'oauth.disabled',
    )
    await set('GitHubOAuthEnabled', 'false')
    const refused = (await set('GitHubOAuthEnabled', 'true')).body
    expect([refused.code, refused.message]).toEqual([
      'setting.incomplete',
      expect.stringContaining('`GitHubClientSecret`'),
    ])
    await set('GitHubClientSecret', 'github-secret')
    await set('GitHubOAuthEnabled', 'true')
    const unknown = await hub.guest().get('/api/oauth/endpoint?provider=nobody')
    expect(unknown.body.code).toBe('oauth.disabled')
  })
}

const registrationTests = () => {
  it('registration obeys its switch, the domains and the invitation', async () => {
    await set('RegisterEnabled', 'false')
    becomeNewPerson()
    expect((await signInWith(hub.guest(), 'github')).body.code).toBe('registration.closed')
    await set('RegisterEnabled', 'true')
    await set('EmailDomainRestrictionEnabled', 'true')
    await set('EmailDomainWhitelist', 'example.org')
    expect((await signInWith(hub.guest(), 'github')).body.code).toBe('mail.domain')
    expect((await signInWith(hub.guest(), 'lark')).body.code).toBe('mail.domain')
    await set('EmailDomainWhitelist', 'example.com')
    await set('QuotaForInvitee', '70')
    const inviter = await hub.person()
    const { aff_code } = await self(inviter)
    const invited = hub.guest()
    expect((await signInWith(invited, 'github', { aff: aff_code })).body.success).toBe(true)
    expect(await self(invited)).toMatchObject({ inviter_id: inviter.id, quota: 70 })
    await set('QuotaForInvitee', '0')
    await set('EmailDomainRestrictionEnabled', 'false')
  })

  it('a disabled user stays out, and a deleted one begins anew', async () => {
    becomeNewPerson()
    const guest = hub.guest()
    const { username, id } = (await signInWith(guest, 'github')).body.data
    await hub.root.post('/api/user/manage', { username, action: 'disable' })
    expect((await signInWith(hub.guest(), 'github')).body.code).toBe('sign_in.refused')
    await hub.root.post('/api/user/manage', { username, action: 'delete' })
    expect((await signInWith(hub.guest(), 'github')).body.data.id).not.toBe(id)
  })
}

const linkTests = () => {
  it('S16 a name or an address of somebody else opens no account and binds nothing', async () => {
    const victim = await hub.person(1, { email: `victim-${nextId()}@example.com` })
    const { email, username } = await self(victim)
    becomeNewPerson()
    const { github, oidc } = third
    const emails = (verified: boolean) => [
      { email, primary: true, verified, visibility: 'private' as const },
    ]
    github.state.user = makeGitHubUser(nextId(), { login: username, emails: emails(false) })
    const unverified = (await signInWith(hub.guest(), 'github')).body.data
    expect(unverified).toMatchObject({ email: '' })
    expect([unverified.id, unverified.username]).not.toContain(victim.id)
    expect(unverified.username).not.toBe(username)
    github.state.user = makeGitHubUser(nextId(), { login: username, emails: emails(true) })
    const verified = await signInWith(hub.guest(), 'github')
    expect([verified.body.code, verified.headers['set-cookie']]).toEqual([
      'oauth.email_taken',
      undefined,
    ])
    for (const email_verified of [true, false, 'yes', 'TRUE', '1', 1, null, undefined]) {
      const sub = `sub-${nextId()}`
      oidc.state.user = { sub, preferred_username: username, email, email_verified }
      const { body } = await signInWith(hub.guest(), 'oidc')
      if (email_verified === true) {
        expect([body.code, body.data]).toEqual(['oauth.email_taken', undefined])
        continue
      }
      // A new account, which has no address until somebody verifies it.
      expect(body.data, String(email_verified)).toMatchObject({ email: '' })
      expect(body.data.id).not.toBe(victim.id)
      expect(body.data.username).not.toBe(username)
    }
    expect(await self(victim)).toMatchObject({ github_id: '', oidc_id: '' })
  })

  it('S16 a reserved name or one with invisible characters is replaced', async () => {
    for (const login of ['root', 'admin', 'a b', 'someone@example.com', '​​​']) {
      becomeNewPerson()
      third.github.state.user.login = login
      const { data } = (await signInWith(hub.guest(), 'github')).body
      if (login !== 'a b') expect(data.username).toMatch(/^github_[\w-]+$/)
    }
  })

  it('S16 an account without an id is refused: twice nobody is not the same user', async () => {
    becomeNewPerson()
    for (const id of [0, -1, null, '', '1', 1.5, undefined]) {
      third.github.state.hostile = { id }
      expect((await signInWith(hub.guest(), 'github')).body.code, String(id)).toBe('oauth.refused')
    }
    for (const open_id of ['', ' ', null, 7, undefined]) {
      third.lark.state.user = { open_id, name: 'Nobody' }
      expect((await signInWith(hub.guest(), 'lark')).body.code).toBe('oauth.refused')
    }
    expect(
      await hub.app.db.selectFrom('identities').where('subject', '=', '').selectAll().execute(),
    ).toEqual([])
  })

  it('S16 the number of a GitHub account counts, not its name', async () => {
    becomeNewPerson()
    const { data } = (await signInWith(hub.guest(), 'github')).body
    const { login } = third.github.state.user
    third.github.state.user = { ...makeGitHubUser(nextId()), login }
    expect((await signInWith(hub.guest(), 'github')).body.data.id).not.toBe(data.id)
  })

  it('S16 the address of an app without the right to e-mail addresses is not used', async () => {
    becomeNewPerson()
    third.github.state.grantsEmails = false
    expect((await signInWith(hub.guest(), 'github')).body.data.email).toBe('')
  })
}

const stateTests = () => {
  it.each(ways)(
    'S17 %s: a missing, made-up, used, foreign or late state opens nothing',
    async way => {
      becomeNewPerson()
      const refuses = async (client: TestClient, query: Record<string, string>) => {
        const { status, body, headers } = await finish(client, way, query)
        expect([status, body.code, headers['set-cookie']]).toEqual([403, 'oauth.state', undefined])
      }
      const guest = hub.guest()
      const back = await visit(await begin(guest, way))
      await refuses(guest, { ...back, state: '' })
      await refuses(guest, { ...back, state: 'made-up' })
      await refuses(hub.guest(), back)
      // The state of the other browser is used up, so that nobody tries a second one.
      await refuses(guest, back)

      const other = ways.find(each => each !== way) ?? way
      const mixed = await visit(await begin(guest, other))
      await refuses(guest, mixed)

      const late = await visit(await begin(guest, way))
      hub.clock.now += 601_000
      await refuses(guest, late)

      const right = await visit(await begin(guest, way))
      expect((await finish(guest, way, right)).body.success).toBe(true)
      await refuses(guest, right)
    },
  )

  it.each(ways)(
    'S17 %s: a code that was used, or was issued for another sign-in, is refused',
    async way => {
      becomeNewPerson()
      const [victim, attacker] = [hub.guest(), hub.guest()]
      const stolen = await visit(await begin(victim, way))
      const own = await visit(await begin(attacker, way))
      const injected = await finish(attacker, way, { ...own, code: stolen.code ?? '' })
      expect(injected.body.code).toBe('oauth.refused')
      const first = await visit(await begin(victim, way))
      expect((await finish(victim, way, first)).body.success).toBe(true)
      const second = await visit(await begin(victim, way))
      const replayed = await finish(victim, way, { ...second, code: first.code ?? '' })
      expect(replayed.body.code).toBe('oauth.refused')
    },
  )
}

const sessionTests = () => {
  it('S17 one state sent eight times at once signs in once', async () => {
    becomeNewPerson()
    const guest = hub.guest()
    const back = await visit(await begin(guest, 'github'))
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => finish(guest, 'github', back)),
    )
    expect(answers.filter(({ body }) => body.success)).toHaveLength(1)
    expect(answers.filter(({ body }) => body.code === 'oauth.state')).toHaveLength(7)
  })

  it.each(ways)(
    'S21 %s: with a second factor there is no session before the second step',
    async way => {
      becomeNewPerson()
      const user = hub.guest()
      await signInWith(user, way)
      const { secret } = (await user.post('/api/user/2fa/setup', {})).body.data
      const step = () => stepAt(Math.floor(hub.clock.now / 1000))
      expect(
        (await user.post('/api/user/2fa/enable', { code: codeAtStep(secret, step()) })).status,
      ).toBe(200)
      const guest = hub.guest()
      const { body, headers } = await signInWith(guest, way)
      expect([body.data.require_2fa, String(headers['set-cookie'] ?? '')]).toEqual([true, ''])
      expect((await guest.get('/api/user/self')).status).toBe(401)
      hub.clock.now += 60_000
      const done = { token: body.data.token, code: codeAtStep(secret, step()) }
      expect((await guest.post('/api/user/login/2fa', done)).status).toBe(200)
      expect((await self(guest)).has_second_factor).toBe(true)
    },
  )

  it('codes, states and secrets are in no log row and no table in plain text', async () => {
    becomeNewPerson()
    const guest = hub.guest()
    const back = await visit(await begin(guest, 'github'))
    await finish(guest, 'github', back)
    const rows = JSON.stringify([
      await hub.app.db.selectFrom('audit').selectAll().execute(),
      await hub.app.db.selectFrom('one_time_codes').selectAll().execute(),
      await hub.app.db.selectFrom('options').selectAll().execute(),
    ])
    for (const secret of [back.code, back.state, 'github-secret', 'lark-secret'])
      expect(rows).not.toContain(secret)
  })
}

onBothEnginesInLongRuns('sign-in by third parties', open => {
  beforeAll(async () => {
    hub = await open()
    third = await startThirdParties(hub)
    await hub.root.post('/api/custom-oauth-provider/', {
      ...{ name: 'Company', slug: 'company', issuer: third.oidc.url },
      ...{ client_id: oidcApp.clientId, client_secret: oidcApp.clientSecret },
    })
  })
  afterAll(() => third?.close())
  beforeEach(() => void becomeNewPerson())
  accountTests()
  registrationTests()
  linkTests()
  stateTests()
  sessionTests()
})
