import { z } from 'zod'
import { challengeOf } from './pkce.ts'
import { OptionalText, readJson, type SignInProvider, urlWith } from './sign-in-provider.ts'

const Config = z.object({
  clientId: z.string().min(1),
  clientSecret: z.string().min(1),
  server: z.url(),
})

/** Feishu answers refusals with a code other than 0. */
const TokenAnswer = z.object({ code: z.literal(0), access_token: z.string().min(1) })
const UserAnswer = z.object({
  code: z.literal(0),
  data: z.object({
    open_id: z.string().min(1),
    name: OptionalText,
    avatar_url: OptionalText,
  }),
})

/**
 * Feishu, and Lark outside China. The code is valid for five minutes and once.
 * https://open.feishu.cn/document/uAjLw4CM/ukTMukTMukTM/authentication-management/access-token/get-user-access-token
 */
export const lark: SignInProvider<typeof Config> = {
  id: 'lark',
  name: 'Lark',
  config: Config,
  acceptsPlainState: true,
  settings: {
    enabled: 'LarkAuthEnabled',
    fields: { clientId: 'LarkClientId', clientSecret: 'LarkClientSecret', server: 'LarkServer' },
  },

  authorizationUrl: async ({ config }, { state, codeVerifier, redirectUri }) =>
    urlWith(`${accountsServer(config.server)}/open-apis/authen/v1/authorize`, {
      client_id: config.clientId,
      // The name of `client_id` before 2024, which One Hub sends.
      app_id: config.clientId,
      response_type: 'code',
      redirect_uri: redirectUri,
      state,
      ...challengeOf(codeVerifier),
    }),

  redeem: async ({ config, fetch }, { code, codeVerifier, redirectUri }) => {
    const { access_token } = await readJson(
      await fetch(`${config.server}/open-apis/authen/v2/oauth/token`, {
        method: 'POST',
        headers: { 'content-type': 'application/json; charset=utf-8' },
        body: JSON.stringify({
          grant_type: 'authorization_code',
          client_id: config.clientId,
          client_secret: config.clientSecret,
          code,
          ...(redirectUri && { redirect_uri: redirectUri }),
          ...(codeVerifier && { code_verifier: codeVerifier }),
        }),
      }),
      TokenAnswer,
    )
    const { data } = await readJson(
      await fetch(`${config.server}/open-apis/authen/v1/user_info`, {
        headers: { authorization: `Bearer ${access_token}` },
      }),
      UserAnswer,
    )
    return {
      authority: '',
      // Belongs to one app of one tenant, and never to another user.
      subject: data.open_id,
      label: data.name,
      username: '',
      displayName: data.name,
      // The documents do not say that an address was verified.
      verifiedEmail: '',
      avatarUrl: data.avatar_url,
    }
  },
}

/** `https://accounts.feishu.cn` asks the user, `https://open.feishu.cn` answers servers. */
const accountsServer = (server: string): string => server.replace('://open.', '://accounts.')
