import { makeCodes, redirectTo, startVendor } from './authorization-codes.ts'

export type GitHubUser = {
  id: number
  login: string
  name: string | null
  avatar_url: string
  emails: { email: string; primary: boolean; verified: boolean; visibility: string | null }[]
}

export const githubApp = { clientId: 'github-client', clientSecret: 'github-secret' }

/**
 * A GitHub Enterprise Server with one OAuth app. It approves at once, as whoever `user` is.
 * https://docs.github.com/en/apps/oauth-apps/building-oauth-apps/authorizing-oauth-apps: a refused code is answered with
 * 200 and `bad_verification_code`; `scope` of the answer is what was granted.
 * https://docs.github.com/en/rest/using-the-rest-api/getting-started-with-the-rest-api: requests without User-Agent are
 * refused with 403.
 */
export const startFakeGitHub = async (callbackUrl: string) => {
  const codes = makeCodes()
  const tokens = new Map<string, { user: unknown; emails: unknown; scope: string }>()
  const state = {
    user: makeGitHubUser(1),
    /** Fields that replace those of the user, whatever they are. */
    hostile: {} as Record<string, unknown>,
    grantsEmails: true,
  }
  const vendor = await startVendor(({ method, url, headers, body }) => {
    const route = `${method} ${url.pathname}`
    if (route === 'GET /login/oauth/authorize') {
      const query = Object.fromEntries(url.searchParams)
      const redirectUri = query.redirect_uri ?? callbackUrl
      if (query.client_id !== githubApp.clientId) return { status: 404, json: {} }
      if (!redirectUri.startsWith(callbackUrl)) return { status: 400, json: {} }
      const code = codes.issue({
        clientId: githubApp.clientId,
        redirectUri: query.redirect_uri ?? '',
        codeChallenge: query.code_challenge ?? '',
        scope: state.grantsEmails ? (query.scope ?? '') : '',
      })
      return redirectTo(redirectUri, { code, state: query.state ?? '' })
    }
    if (route === 'POST /login/oauth/access_token') {
      if (headers.accept !== 'application/json') return { status: 406, json: {} }
      if (body.client_secret !== githubApp.clientSecret)
        return { json: { error: 'incorrect_client_credentials' } }
      const granted = codes.redeem(body)
      if (!granted) return { json: { error: 'bad_verification_code' } }
      const token = `gho_${tokens.size}`
      const { emails, ...user } = state.user
      tokens.set(token, { user: { ...user, ...state.hostile }, emails, scope: granted.scope })
      return { json: { access_token: token, scope: granted.scope, token_type: 'bearer' } }
    }
    if (!headers['user-agent']) return { status: 403, json: { message: 'no User-Agent' } }
    const found = tokens.get(String(headers.authorization).replace('Bearer ', ''))
    if (!found) return { status: 401, json: { message: 'Bad credentials' } }
    if (route === 'GET /api/v3/user') return { json: found.user }
    if (route === 'GET /api/v3/user/emails' && found.scope === 'user:email')
      return { json: found.emails }
    return undefined
  })
  return { ...vendor, state }
}

export const makeGitHubUser = (id: number, more: Partial<GitHubUser> = {}): GitHubUser => ({
  id,
  login: `octo-${id}`,
  name: `Octo ${id}`,
  avatar_url: 'https://avatars.githubusercontent.com/u/1',
  emails: [
    { email: `octo-${id}@example.com`, primary: true, verified: true, visibility: 'private' },
  ],
  ...more,
})
