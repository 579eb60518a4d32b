import { Fault } from '@hub/contract'
import { z } from 'zod'
import { challengeOf } from './pkce.ts'
import {
  OptionalText,
  type ProviderContext,
  readJson,
  type SignInProvider,
  urlWith,
} from './sign-in-provider.ts'

const Config = z.object({
  clientId: z.string().min(1),
  clientSecret: z.string().min(1),
  server: z.url(),
})

const TokenAnswer = z.object({ access_token: z.string().min(1), scope: OptionalText })
const User = z.object({
  id: z.int().positive(),
  login: z.string().min(1),
  name: OptionalText,
  avatar_url: OptionalText,
})
const Emails = z.array(z.object({ email: z.string(), primary: z.boolean(), verified: z.boolean() }))

/**
 * OAuth apps of github.com and of GitHub Enterprise Server.
 * https://docs.github.com/en/apps/oauth-apps/building-oauth-apps/authorizing-oauth-apps
 */
export const github: SignInProvider<typeof Config> = {
  id: 'github',
  name: 'GitHub',
  config: Config,
  acceptsPlainState: true,
  settings: {
    enabled: 'GitHubOAuthEnabled',
    fields: {
      clientId: 'GitHubClientId',
      clientSecret: 'GitHubClientSecret',
      server: 'GitHubServer',
    },
  },

  authorizationUrl: async ({ config }, { state, codeVerifier, redirectUri }) =>
    urlWith(`${config.server}/login/oauth/authorize`, {
      client_id: config.clientId,
      redirect_uri: redirectUri,
      scope: 'user:email',
      state,
      ...challengeOf(codeVerifier),
    }),

  redeem: async (context, { code, codeVerifier, redirectUri }) => {
    const { config, fetch } = context
    const { access_token, scope } = await readJson(
      await fetch(`${config.server}/login/oauth/access_token`, {
        method: 'POST',
        headers: { accept: 'application/json', 'content-type': 'application/json' },
        body: JSON.stringify({
          client_id: config.clientId,
          client_secret: config.clientSecret,
          code,
          ...(redirectUri && { redirect_uri: redirectUri }),
          ...(codeVerifier && { code_verifier: codeVerifier }),
        }),
      }),
      // A refusal has the status 200 and `error` instead of the token.
      TokenAnswer,
    )
    const call = async (path: string) =>
      fetch(`${apiOf(context)}${path}`, {
        headers: {
          accept: 'application/vnd.github+json',
          authorization: `Bearer ${access_token}`,
          // GitHub refuses requests without it.
          'user-agent': 'One-Hub',
        },
      })
    const user = await readJson(await call('/user'), User)
    const emails = scope.split(/[ ,]+/).some(each => each === 'user:email' || each === 'user')
      ? await readJson(await call('/user/emails'), Emails)
      : []
    return {
      authority: authorityOf(config.server),
      // A login name can be changed and then taken by somebody else; the number stays.
      subject: String(user.id),
      label: user.login,
      username: user.login,
      displayName: user.name,
      verifiedEmail: emails.find(each => each.primary && each.verified)?.email ?? '',
      avatarUrl: user.avatar_url,
    }
  },
}

const publicServer = 'https://github.com'

/** https://docs.github.com/en/enterprise-server/rest: below `/api/v3` of the server itself. */
const apiOf = ({ config }: ProviderContext<z.output<typeof Config>>): string =>
  config.server === publicServer ? 'https://api.github.com' : `${config.server}/api/v3`

/** The numbers of another server are other accounts. */
const authorityOf = (server: string): string => {
  if (server === publicServer) return ''
  if (!URL.canParse(server)) throw new Fault('oauth.refused')
  return new URL(server).origin
}
