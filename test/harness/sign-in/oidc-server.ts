import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import Provider from 'oidc-provider'
import { keepAlive } from '../addresses/keep-alive.ts'

export const oidcApp = { clientId: 'oidc-client', clientSecret: 'oidc-secret-of-thirty-two-bytes!' }

type Claims = { sub: string } & Record<string, unknown>

/** A certified OpenID Connect server of another maker. It asks nothing and signs in whoever `user` is. */
export const startOidcServer = async (redirectUris: string[]) => {
  const state = {
    user: { sub: 'subject-1', preferred_username: 'ann', name: 'Ann' } as Claims,
  }
  const users = new Map<string, Claims>()
  const server = createServer(keepAlive)
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const provider = new Provider(url, {
    clients: [
      {
        client_id: oidcApp.clientId,
        client_secret: oidcApp.clientSecret,
        redirect_uris: redirectUris,
        response_types: ['code'],
        grant_types: ['authorization_code'],
      },
    ],
    pkce: { required: () => true },
    claims: {
      openid: ['sub'],
      email: ['email', 'email_verified'],
      profile: ['name', 'preferred_username', 'picture'],
    },
    features: { devInteractions: { enabled: false } },
    cookies: { keys: ['a key of the tests'] },
    interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
    findAccount: (_context, accountId) => ({
      accountId,
      claims: () => users.get(accountId) ?? { sub: accountId },
    }),
  })
  const answer = provider.callback()
  server.on('request', async (request, response) => {
    if (!request.url?.startsWith('/interaction/')) return void answer(request, response)
    const { params } = await provider.interactionDetails(request, response)
    const { sub: accountId } = state.user
    users.set(accountId, { ...state.user })
    const grant = new provider.Grant({ accountId, clientId: String(params.client_id) })
    grant.addOIDCScope(String(params.scope))
    const result = { login: { accountId }, consent: { grantId: await grant.save() } }
    await provider.interactionFinished(request, response, result)
  })
  const close = async () => {
    server.closeAllConnections()
    await new Promise(resolve => server.close(resolve))
  }
  return { url, state, close }
}
