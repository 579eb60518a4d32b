import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { startHostileIssuer } from '../../../../../test/harness/sign-in/hostile-issuer.ts'
import { oidcApp } from '../../../../../test/harness/sign-in/oidc-server.ts'
import { onOneEngine, type TestApp } from '../../../test/harness.ts'
import { begin, signInWith } from '../../../test/sign-in/third-party.ts'

let hub: TestApp
let issuer: Awaited<ReturnType<typeof startHostileIssuer>>
const set = (key: string, value: string) => hub.root.put('/api/option/', { key, value })
const pointTo = async (url: string) => {
  await set('OIDCIssuer', url)
  await set('OIDCClientSecret', oidcApp.clientSecret)
}
const codeOf = async () => (await signInWith(hub.guest(), 'oidc')).body.code

type Forge = Parameters<typeof issuer.state.forge>[0]
const forgeries: [string, (token: Forge) => void][] = [
  ['another issuer', ({ claims }) => (claims.iss = 'https://issuer.example')],
  ['no issuer', ({ claims }) => delete claims.iss],
  ['another audience', ({ claims }) => (claims.aud = 'another-app')],
  [
    'a list with an authorized party that is another app',
    ({ claims }) => {
      claims.aud = [oidcApp.clientId, 'another-app']
      claims.azp = 'another-app'
    },
  ],
  ['no audience', ({ claims }) => delete claims.aud],
  ['another nonce', ({ claims }) => (claims.nonce = 'another')],
  ['no nonce', ({ claims }) => delete claims.nonce],
  ['a time that has passed', ({ claims }) => (claims.exp = 1_000_000)],
  ['no expiry', ({ claims }) => delete claims.exp],
  ['an empty subject', ({ claims }) => (claims.sub = '')],
  ['no subject', ({ claims }) => delete claims.sub],
  ['a subject that is a number', ({ claims }) => (claims.sub = 1)],
  ['the algorithm none', ({ header }) => (header.alg = 'none')],
  ['a symmetric algorithm', ({ header }) => (header.alg = 'HS256')],
  ['an unknown key', ({ header }) => (header.kid = 'unknown')],
]

onOneEngine('ID tokens of hostile issuers', open => {
  beforeAll(async () => {
    hub = await open()
    issuer = await startHostileIssuer()
    await set('OIDCClientId', oidcApp.clientId)
    await pointTo(issuer.url)
    await set('OIDCAuthEnabled', 'true')
  })
  beforeEach(() => {
    issuer.state.forge = () => undefined
    issuer.state.signsWith = 'own'
    issuer.state.information = { sub: 'subject-1' }
    issuer.state.metadata = {}
  })
  afterAll(() => issuer?.close())

  it('S16 S22 C21 a token with any wrong claim is refused, and the right one is accepted', async () => {
    expect((await signInWith(hub.guest(), 'oidc')).body.success).toBe(true)
    for (const [name, forge] of forgeries) {
      issuer.state.forge = token => void forge(token)
      expect([name, await codeOf()]).toEqual([name, 'oauth.refused'])
    }
  })

  it('S22 C21 a token that somebody else signed, or nobody, is refused', async () => {
    for (const signsWith of ['foreign', 'none'] as const) {
      issuer.state.signsWith = signsWith
      expect([signsWith, await codeOf()]).toEqual([signsWith, 'oauth.refused'])
    }
  })

  it('C21 user information of another subject is refused', async () => {
    issuer.state.information = { sub: 'subject-2' }
    expect(await codeOf()).toBe('oauth.refused')
  })

  it('C21 an issuer that names itself otherwise is refused before anybody is sent there', async () => {
    issuer.state.metadata = { issuer: 'https://issuer.example' }
    await expect(begin(hub.guest(), 'oidc')).rejects.toThrow('oauth.refused')
  })

  it('C21 an answer that must name its issuer is refused without it, and from another one', async () => {
    issuer.state.metadata = { authorization_response_iss_parameter_supported: true }
    expect(await codeOf()).toBe('oauth.refused')
    const mixed = await signInWith(hub.guest(), 'oidc', { iss: 'https://issuer.example' })
    expect(mixed.body.code).toBe('oauth.refused')
    expect((await signInWith(hub.guest(), 'oidc', { iss: issuer.url })).body.success).toBe(true)
  })

  it('S16 C21 the same subject of another issuer is another user', async () => {
    const { data } = (await signInWith(hub.guest(), 'oidc')).body
    const other = await startHostileIssuer()
    await pointTo(other.url)
    expect((await signInWith(hub.guest(), 'oidc')).body.data.id).not.toBe(data.id)
    await pointTo(issuer.url)
    await other.close()
  })

  it('S4 private addresses are not called where the setting forbids it, and an answer has a limit', async () => {
    await set('PrivateAddressesAllowed', 'false')
    await expect(begin(hub.guest(), 'oidc')).rejects.toThrow('address.forbidden')
    await set('PrivateAddressesAllowed', 'true')
    issuer.state.metadata = { padding: 'x'.repeat(1_100_000) }
    await expect(begin(hub.guest(), 'oidc')).rejects.toThrow('oauth.refused')
    issuer.state.metadata = { token_endpoint: 'http://127.0.0.1:1/token' }
    expect(await codeOf()).toBe('oauth.unreachable')
  })
})
