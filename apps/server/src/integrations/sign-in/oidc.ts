import { Fault } from '@hub/contract'
import type { Configuration, CustomFetch } from 'openid-client'
import { z } from 'zod'
import { fieldOf, isTrue } from './claims.ts'
import type {
  AuthorizationResponse,
  ProviderAccount,
  ProviderContext,
  SignInProvider,
} from './sign-in-provider.ts'

const Config = z.object({
  clientId: z.string().min(1),
  clientSecret: z.string().min(1),
  issuer: z.url(),
  scopes: z.string(),
  usernameField: z.string(),
})
const CustomConfig = Config.extend({
  nameField: z.string(),
  emailField: z.string(),
  emailVerifiedField: z.string(),
})
type CustomConfig = z.output<typeof CustomConfig>
type IssuerContext = ProviderContext<Pick<CustomConfig, 'issuer' | 'clientId' | 'clientSecret'>>

/** The library parses keys and takes memory, so it is loaded with the first sign-in. */
const library = () => import('openid-client')

/** Reads the configuration of the issuer, which must name itself. Throws `oauth.refused` or `oauth.unreachable`. */
export const discover = async ({ config, fetch }: IssuerContext): Promise<Configuration> => {
  const { discovery, customFetch, allowInsecureRequests, enableNonRepudiationChecks } =
    await library()
  const send: CustomFetch = (url, { method, headers, body }) =>
    fetch(url, {
      method: method === 'POST' ? 'POST' : 'GET',
      headers,
      ...(body && { body: String(body) }),
    })
  return checked(async () => {
    const found = await discovery(
      new URL(config.issuer),
      config.clientId,
      config.clientSecret,
      undefined,
      {
        [customFetch]: send,
        // Verifies the signature of the ID token even though it came over TLS from the issuer.
        execute: [
          enableNonRepudiationChecks,
          ...(config.issuer.startsWith('http:') ? [allowInsecureRequests] : []),
        ],
      },
    )
    return found
  })
}

/** Every check of the library that fails is one refusal; faults of the network stay as they are. */
const checked = async <T>(work: () => Promise<T>): Promise<T> => {
  try {
    return await work()
  } catch (error) {
    throw faultIn(error) ?? new Fault('oauth.refused', { cause: error })
  }
}

const faultIn = (error: unknown): Fault | undefined => {
  if (error instanceof Fault) return error
  const cause = error instanceof Error ? error.cause : undefined
  return cause === undefined ? undefined : faultIn(cause)
}

/**
 * The claims of an ID token whose signature, issuer, audience, nonce and time are right, and of the user information
 * with the same subject.
 */
const confirmedClaims = async (
  context: IssuerContext,
  { code, state, iss, nonce, codeVerifier, redirectUri }: AuthorizationResponse,
) => {
  const { authorizationCodeGrant, fetchUserInfo } = await library()
  const issuer = await discover(context)
  const callback = new URL(redirectUri)
  callback.search = new URLSearchParams({ code, state, ...(iss && { iss }) }).toString()
  return checked(async () => {
    const tokens = await authorizationCodeGrant(issuer, callback, {
      pkceCodeVerifier: codeVerifier,
      expectedState: state,
      expectedNonce: nonce,
      idTokenExpected: true,
    })
    const claims = tokens.claims()
    if (!claims) throw new Fault('oauth.refused')
    const information = issuer.serverMetadata().userinfo_endpoint
      ? await fetchUserInfo(issuer, tokens.access_token, claims.sub)
      : {}
    return { ...claims, ...information, iss: claims.iss, sub: claims.sub }
  })
}

const customOidc: SignInProvider<typeof CustomConfig> = {
  id: 'custom-oidc',
  name: 'OIDC',
  config: CustomConfig,
  acceptsPlainState: false,

  authorizationUrl: async (context, { state, nonce, codeVerifier, redirectUri }) => {
    const { buildAuthorizationUrl, calculatePKCECodeChallenge } = await library()
    const issuer = await discover(context)
    const scopes = new Set(['openid', ...context.config.scopes.split(/[\s,]+/).filter(Boolean)])
    return buildAuthorizationUrl(issuer, {
      redirect_uri: redirectUri,
      scope: [...scopes].join(' '),
      state,
      nonce,
      code_challenge: await calculatePKCECodeChallenge(codeVerifier),
      code_challenge_method: 'S256',
    }).href
  },

  redeem: async (context, response): Promise<ProviderAccount> => {
    const { config } = context
    const claims = await confirmedClaims(context, response)
    const username = fieldOf(claims, config.usernameField)
    return {
      // A subject is unique within its issuer only (OpenID Connect Core 1.0, section 2).
      authority: claims.iss,
      subject: claims.sub,
      label: username || claims.sub,
      username,
      displayName: fieldOf(claims, config.nameField),
      verifiedEmail: isTrue(claims, config.emailVerifiedField)
        ? fieldOf(claims, config.emailField)
        : '',
      avatarUrl: fieldOf(claims, 'picture'),
    }
  },
}

const standardFields = {
  nameField: 'name',
  emailField: 'email',
  emailVerifiedField: 'email_verified',
}
const withStandardFields = ({ config, fetch }: ProviderContext<z.output<typeof Config>>) => ({
  config: { ...config, ...standardFields },
  fetch,
})

/** OpenID Connect: the authorization code flow with PKCE and nonce. */
const oidc: SignInProvider<typeof Config> = {
  id: 'oidc',
  name: 'OIDC',
  config: Config,
  acceptsPlainState: false,
  settings: {
    enabled: 'OIDCAuthEnabled',
    fields: {
      clientId: 'OIDCClientId',
      clientSecret: 'OIDCClientSecret',
      issuer: 'OIDCIssuer',
      scopes: 'OIDCScopes',
      usernameField: 'OIDCUsernameClaims',
    },
  },
  authorizationUrl: (context, request) =>
    customOidc.authorizationUrl(withStandardFields(context), request),
  redeem: (context, response) => customOidc.redeem(withStandardFields(context), response),
}

export { customOidc, oidc }
