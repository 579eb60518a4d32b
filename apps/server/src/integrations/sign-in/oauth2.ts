import { z } from 'zod'
import { fieldOf, isTrue } from './claims.ts'
import { challengeOf } from './pkce.ts'
import { readJson, type SignInProvider, urlWith } from './sign-in-provider.ts'

const Config = z.object({
  clientId: z.string().min(1),
  clientSecret: z.string().min(1),
  authorizationEndpoint: z.url(),
  tokenEndpoint: z.url(),
  userinfoEndpoint: z.url(),
  scopes: z.string(),
  subjectField: z.string().min(1),
  usernameField: z.string(),
  nameField: z.string(),
  emailField: z.string(),
  emailVerifiedField: z.string(),
})

const TokenAnswer = z.object({ access_token: z.string().min(1) })
const Information = z.record(z.string(), z.unknown())

/** OAuth 2.0 (RFC 6749) with PKCE, and an endpoint that describes the user as JSON. */
export const oauth2: SignInProvider<typeof Config> = {
  id: 'custom-oauth2',
  name: 'OAuth 2.0',
  config: Config,
  acceptsPlainState: false,

  authorizationUrl: async ({ config }, { state, codeVerifier, redirectUri }) =>
    urlWith(config.authorizationEndpoint, {
      response_type: 'code',
      client_id: config.clientId,
      redirect_uri: redirectUri,
      scope: config.scopes.split(/[\s,]+/).join(' '),
      state,
      ...challengeOf(codeVerifier),
    }),

  redeem: async ({ config, fetch }, { code, codeVerifier, redirectUri }) => {
    const { access_token } = await readJson(
      await fetch(config.tokenEndpoint, {
        method: 'POST',
        headers: {
          accept: 'application/json',
          'content-type': 'application/x-www-form-urlencoded',
        },
        body: new URLSearchParams({
          grant_type: 'authorization_code',
          code,
          redirect_uri: redirectUri,
          client_id: config.clientId,
          client_secret: config.clientSecret,
          code_verifier: codeVerifier,
        }).toString(),
      }),
      TokenAnswer,
    )
    const user = await readJson(
      await fetch(config.userinfoEndpoint, {
        headers: {
          accept: 'application/json',
          authorization: `Bearer ${access_token}`,
          'user-agent': 'One-Hub',
        },
      }),
      Information,
    )
    const subject = fieldOf(user, config.subjectField)
    const username = fieldOf(user, config.usernameField)
    return {
      authority: new URL(config.userinfoEndpoint).origin,
      subject,
      label: username || subject,
      username,
      displayName: fieldOf(user, config.nameField),
      verifiedEmail: isTrue(user, config.emailVerifiedField)
        ? fieldOf(user, config.emailField)
        : '',
      avatarUrl: '',
    }
  },
}
