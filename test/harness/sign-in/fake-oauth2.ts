import { makeCodes, redirectTo, startVendor } from './authorization-codes.ts'

export const oauth2App = { clientId: 'oauth2-client', clientSecret: 'oauth2-secret' }

/** A server of plain OAuth 2.0 with PKCE, whose user information is nested. It approves at once. */
export const startFakeOAuth2 = async (callbackUrl: string) => {
  const codes = makeCodes()
  const tokens = new Map<string, unknown>()
  const state = {
    information: { data: { user: { id: 42, nick: 'deep-thought' } } } as unknown,
  }
  const vendor = await startVendor(({ method, url, headers, body }) => {
    const route = `${method} ${url.pathname}`
    if (route === 'GET /authorize') {
      const query = Object.fromEntries(url.searchParams)
      if (query.redirect_uri !== callbackUrl || !query.code_challenge)
        return { status: 400, json: { error: 'invalid_request' } }
      const code = codes.issue({
        clientId: query.client_id ?? '',
        redirectUri: query.redirect_uri,
        codeChallenge: query.code_challenge,
        scope: query.scope ?? '',
      })
      return redirectTo(query.redirect_uri, { code, state: query.state ?? '' })
    }
    if (route === 'POST /token') {
      const isApp = body.client_secret === oauth2App.clientSecret
      if (!isApp || !codes.redeem(body)) return { status: 400, json: { error: 'invalid_grant' } }
      const token = `t-${tokens.size}`
      tokens.set(token, structuredClone(state.information))
      return { json: { access_token: token, token_type: 'Bearer' } }
    }
    if (route === 'GET /me') {
      const information = tokens.get(String(headers.authorization).replace('Bearer ', ''))
      return information ? { json: information } : { status: 401, json: {} }
    }
    return undefined
  })
  return { ...vendor, state }
}
