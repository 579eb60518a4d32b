import { afterAll, beforeAll, expect, it } from 'vitest'
import { oauth2App, startFakeOAuth2 } from '../../../../../test/harness/sign-in/fake-oauth2.ts'
import { oidcApp } from '../../../../../test/harness/sign-in/oidc-server.ts'
import { onBothEnginesInLongRuns, type TestApp } from '../../../test/harness.ts'
import { begin, signInWith, startThirdParties } from '../../../test/sign-in/third-party.ts'

const path = '/api/custom-oauth-provider/'
let hub: TestApp
let third: Awaited<ReturnType<typeof startThirdParties>>
let plain: Awaited<ReturnType<typeof startFakeOAuth2>>
const company = (more = {}) => ({
  name: 'Company',
  slug: 'company',
  issuer: third.oidc.url,
  client_id: oidcApp.clientId,
  client_secret: oidcApp.clientSecret,
  ...more,
})
const deep = (more = {}) => ({
  name: 'Deep',
  slug: 'deep',
  kind: 'oauth2',
  client_id: oauth2App.clientId,
  client_secret: oauth2App.clientSecret,
  authorization_endpoint: `${plain.url}/authorize`,
  token_endpoint: `${plain.url}/token`,
  userinfo_endpoint: `${plain.url}/me`,
  subject_field: 'data.user.id',
  username_field: 'data.user.nick',
  ...more,
})

const identityCount = async () =>
  (await hub.app.db.selectFrom('identities').select('subject').execute()).length

const signInTests = () => {
  it('an issuer that was added signs in under its own name', async () => {
    const { body } = await hub.root.post(path, company())
    expect(body.data).toMatchObject({ slug: 'company', kind: 'oidc', has_client_secret: true })
    expect(JSON.stringify(body)).not.toContain(oidcApp.clientSecret)
    expect((await hub.guest().get('/api/status')).body.data.custom_oauth_providers).toEqual([
      { slug: 'company', name: 'Company' },
    ])
    third.oidc.state.user = { sub: 'shared', preferred_username: 'shared-name' }
    const guest = hub.guest()
    const { data } = (await signInWith(guest, 'company')).body
    expect((await signInWith(hub.guest(), 'company')).body.data.id).toBe(data.id)
    // The same subject by the built-in provider is another user.
    expect((await signInWith(hub.guest(), 'oidc')).body.data.id).not.toBe(data.id)
    const identities = (await guest.get('/api/oauth/identities')).body.data
    expect(identities).toContainEqual({
      type: 'company',
      name: 'Company',
      label: 'shared-name',
      bound: true,
      enabled: true,
    })
  })

  it('a server of plain OAuth 2.0 signs in by nested fields', async () => {
    expect((await hub.root.post(path, deep())).status).toBe(200)
    const sorted = (await hub.root.get(`${path}?order=-slug`)).body.data.data
    expect(sorted.map((each: { slug: string }) => each.slug)).toEqual(['deep', 'company'])
    const { data } = (await signInWith(hub.guest(), 'deep')).body
    expect(data).toMatchObject({ username: 'deep-thought', email: '' })
    plain.state.information = { data: { user: { id: 42, nick: 'renamed' } } }
    expect((await signInWith(hub.guest(), 'deep')).body.data.id).toBe(data.id)
    for (const information of [{ data: { user: { nick: 'deep-thought' } } }, { data: null }, []]) {
      plain.state.information = information
      expect((await signInWith(hub.guest(), 'deep')).body.code).toBe('oauth.refused')
    }
  })

  it('names of a provider with control characters are stored without them', async () => {
    for (const provider of [company(), deep()]) await hub.root.post(path, provider)
    plain.state.information = { data: { user: { id: 4711, nick: 'one\0two\u001b' } } }
    const { body } = await signInWith(hub.guest(), 'deep')
    expect(body.data).toMatchObject({ username: 'onetwo' })
    const rows = await hub.app.db.selectFrom('identities').select('label').execute()
    expect(rows.map(each => each.label)).toContain('onetwo')
  })

  it.each([
    ...['', ' ', '0', ' 0 ', 'null', 'NULL', 'undefined', 'None', 'nil', 'NaN', 'false', '-1'],
    ...['shared\0', 'a\u001bb', 'a\nb', '\u0085'],
    ...['00000000-0000-0000-0000-000000000000', 'x'.repeat(256), 0, -1, 1.5, null, true, {}, []],
  ])('S16 the subject %j of a provider of the operator opens no account', async subject => {
    // They exist already, unless this test runs alone.
    for (const provider of [company(), deep()]) await hub.root.post(path, provider)
    plain.state.information = { data: { user: { id: subject, nick: 'nobody' } } }
    const before = await identityCount()
    const { body, headers } = await signInWith(hub.guest(), 'deep')
    expect([body.code, headers['set-cookie']]).toEqual(['oauth.refused', undefined])
    if (typeof subject === 'string' && subject !== '') {
      third.oidc.state.user = { sub: subject, preferred_username: 'nobody' }
      expect((await signInWith(hub.guest(), 'company')).body.code).toBe('oauth.refused')
    }
    expect(await identityCount()).toBe(before)
  })
}

const changeTests = () => {
  it('what does not fit is refused and names the field', async () => {
    for (const [more, field] of [
      [{ slug: 'github' }, 'slug'],
      [{ slug: 'Big' }, 'slug'],
      [{ slug: 'no-issuer', issuer: '' }, 'issuer'],
      [{ slug: 'no-token', kind: 'oauth2' }, 'token_endpoint'],
      [{ slug: 'script', issuer: 'javascript:alert(1)' }, 'issuer'],
      [{ slug: 'no-secret', client_secret: '' }, 'client_secret'],
    ] as const) {
      const { status, body } = await hub.root.post(path, company(more))
      expect([status, body.message]).toEqual([400, expect.stringContaining(`\`${field}\``)])
    }
    expect((await hub.root.post(path, company())).body.code).toBe('resource.exists')
    expect((await hub.root.post(path, company({ color: 'red' }))).status).toBe(422)
    expect((await (await hub.person(10)).get(path)).status).toBe(403)
  })

  it('a change keeps the secret, a switch takes the provider off, and deletion takes its bindings', async () => {
    const rows = (await hub.root.get(path)).body.data.data
    const row = rows.find((each: { slug: string }) => each.slug === 'company')
    const renamed = await hub.root.put(path, { ...row, name: 'Firm' })
    expect(renamed.body.data).toMatchObject({ name: 'Firm', has_client_secret: true })
    third.oidc.state.user = { sub: 'shared', preferred_username: 'shared-name' }
    expect((await signInWith(hub.guest(), 'company')).body.success).toBe(true)
    expect((await hub.root.put(path, { id: row.id, slug: 'deep' })).body.code).toBe(
      'resource.exists',
    )
    await hub.root.put(path, { id: row.id, enabled: false })
    await expect(begin(hub.guest(), 'company')).rejects.toThrow('oauth.disabled')
    expect((await hub.root.delete(`${path}${row.id}`)).status).toBe(200)
    expect((await hub.root.delete(`${path}${row.id}`)).status).toBe(404)
    expect(
      await hub.app.db
        .selectFrom('identities')
        .selectAll()
        .where('sign_in', '=', `custom:${row.id}`)
        .execute(),
    ).toEqual([])
  })
}

const secretTests = () => {
  it('S5 a new issuer, token address or kind needs the secret again, and gets no old one', async () => {
    const { id } = (await hub.root.post(path, company({ slug: 'moved' }))).body.data
    const elsewhere = 'https://elsewhere.example'
    const endpoints = {
      authorization_endpoint: `${plain.url}/authorize`,
      token_endpoint: `${elsewhere}/token`,
      userinfo_endpoint: `${plain.url}/me`,
    }
    // An issuer does not use these addresses, so that they may be stored beforehand.
    expect((await hub.root.put(path, { id, ...endpoints })).status).toBe(200)
    for (const change of [
      { issuer: elsewhere },
      { issuer: elsewhere, client_secret: '' },
      { kind: 'oauth2' },
    ]) {
      const { status, body } = await hub.root.put(path, { id, ...change })
      expect([change, status, body.code]).toEqual([change, 422, 'oauth.secret_needed'])
    }
    expect((await hub.root.get(`${path}${id}`)).body.data).toMatchObject({
      ...{ kind: 'oidc', issuer: third.oidc.url, has_client_secret: true },
    })
    const moved = { id, kind: 'oauth2', client_secret: 'another-secret' }
    expect((await hub.root.put(path, moved)).status).toBe(200)
    const token = { id, token_endpoint: `${plain.url}/token` }
    expect((await hub.root.put(path, token)).body.code).toBe('oauth.secret_needed')
    // The secret does not go to the other addresses.
    const rest = { id, issuer: '', userinfo_endpoint: `${plain.url}/you`, name: 'Moved' }
    expect((await hub.root.put(path, rest)).status).toBe(200)
    await hub.root.delete(`${path}${id}`)
  })

  it('S5 a form that was opened before a move does not bring the new secret to the old address', async () => {
    const row = (await hub.root.post(path, company({ slug: 'raced' }))).body.data
    const move = { id: row.id, issuer: 'https://moved.example', client_secret: 'moved' }
    const saves = [row, row, move, row, row]
    const responses = await Promise.all(saves.map(save => hub.root.put(path, save)))
    expect(responses[2]!.status).toBe(200)
    const { issuer } = (await hub.root.get(`${path}${row.id}`)).body.data
    expect(issuer).toBe('https://moved.example')
    await hub.root.delete(`${path}${row.id}`)
  })
}

const discoveryTest = () => {
  it('the configuration of an issuer is read for the form, and a wrong one is refused', async () => {
    const discover = (issuer: string) => hub.root.post(`${path}discovery`, { issuer })
    expect((await discover(third.oidc.url)).body.data).toMatchObject({
      issuer: third.oidc.url,
      scopes_supported: expect.arrayContaining(['openid', 'email']),
    })
    expect((await discover(plain.url)).body.code).toBe('oauth.refused')
    expect((await discover('http://127.0.0.1:1')).body.code).toBe('oauth.unreachable')
  })
}

onBothEnginesInLongRuns('providers of the operator', open => {
  beforeAll(async () => {
    hub = await open()
    third = await startThirdParties(hub)
    plain = await startFakeOAuth2('http://localhost:3000/oauth/deep')
  })
  afterAll(async () => {
    await third?.close()
    await plain?.close()
  })
  signInTests()
  changeTests()
  secretTests()
  discoveryTest()
})
