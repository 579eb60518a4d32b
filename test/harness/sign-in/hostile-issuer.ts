import { createSign, generateKeyPairSync } from 'node:crypto'
import { redirectTo, startVendor } from './authorization-codes.ts'
import { oidcApp } from './oidc-server.ts'

type Token = { header: Record<string, unknown>; claims: Record<string, unknown> }

const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
const makeKey = () => generateKeyPairSync('rsa', { modulusLength: 2048 })

/** An issuer that signs whatever a test wants, so that each check of the ID token can be missed alone. */
export const startHostileIssuer = async () => {
  const [own, foreign] = [makeKey(), makeKey()]
  const state = {
    /** Changes the token before it is signed. */
    forge: (_token: Token): void => undefined,
    signsWith: 'own' as 'own' | 'foreign' | 'none',
    information: { sub: 'subject-1' } as Record<string, unknown>,
    metadata: {} as Record<string, unknown>,
    nonce: '',
  }
  const sign = ({ header, claims }: Token) => {
    const text = `${encode(header)}.${encode(claims)}`
    if (state.signsWith === 'none') return `${text}.`
    const { privateKey } = state.signsWith === 'own' ? own : foreign
    return `${text}.${createSign('sha256').update(text).sign(privateKey, 'base64url')}`
  }
  const vendor = await startVendor(({ method, url }) => {
    const issuer = url.origin
    const route = `${method} ${url.pathname}`
    if (route === 'GET /.well-known/openid-configuration')
      return {
        json: {
          issuer,
          authorization_endpoint: `${issuer}/authorize`,
          token_endpoint: `${issuer}/token`,
          userinfo_endpoint: `${issuer}/me`,
          jwks_uri: `${issuer}/keys`,
          response_types_supported: ['code'],
          subject_types_supported: ['public'],
          id_token_signing_alg_values_supported: ['RS256'],
          ...state.metadata,
        },
      }
    if (route === 'GET /keys') {
      const key = own.publicKey.export({ format: 'jwk' })
      return { json: { keys: [{ ...key, kid: 'k', alg: 'RS256', use: 'sig' }] } }
    }
    if (route === 'GET /authorize') {
      state.nonce = url.searchParams.get('nonce') ?? ''
      const query = { code: 'code', state: url.searchParams.get('state') ?? '' }
      return redirectTo(url.searchParams.get('redirect_uri') ?? '', query)
    }
    if (route === 'POST /token') {
      const now = Math.floor(Date.now() / 1000)
      const token: Token = {
        header: { alg: 'RS256', kid: 'k', typ: 'JWT' },
        claims: {
          iss: issuer,
          sub: 'subject-1',
          aud: oidcApp.clientId,
          nonce: state.nonce,
          iat: now,
          exp: now + 300,
        },
      }
      state.forge(token)
      return {
        json: {
          access_token: 'a',
          token_type: 'Bearer',
          ...(state.signsWith === 'none' && !token.claims.iss ? {} : { id_token: sign(token) }),
        },
      }
    }
    if (route === 'GET /me') return { json: state.information }
    return undefined
  })
  return { ...vendor, state }
}
