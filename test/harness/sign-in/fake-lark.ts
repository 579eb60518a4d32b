import { makeCodes, redirectTo, startVendor } from './authorization-codes.ts'

export const larkApp = { clientId: 'cli_test', clientSecret: 'lark-secret' }

/**
 * Feishu with one app. It approves at once, as whoever `user` is. The code works once; a refusal has the status 400 and a
 * `code` other than 0.
 * https://open.feishu.cn/document/uAjLw4CM/ukTMukTMukTM/authentication-management/access-token/get-user-access-token
 */
export const startFakeLark = async (callbackUrl: string) => {
  const codes = makeCodes()
  const tokens = new Map<string, unknown>()
  const state = {
    user: {
      open_id: 'ou_1',
      union_id: 'on_1',
      name: '敬之',
      avatar_url: 'https://s3-fs.pstatp.com/1',
      email: 'victim@example.com',
    } as Record<string, unknown>,
  }
  const vendor = await startVendor(({ method, url, headers, body }) => {
    const route = `${method} ${url.pathname}`
    if (route === 'GET /open-apis/authen/v1/authorize') {
      const query = Object.fromEntries(url.searchParams)
      if (query.client_id !== larkApp.clientId || query.response_type !== 'code')
        return { status: 400, json: { code: 20001 } }
      if (query.redirect_uri !== callbackUrl) return { status: 400, json: { code: 20029 } }
      const code = codes.issue({
        clientId: larkApp.clientId,
        redirectUri: query.redirect_uri,
        codeChallenge: query.code_challenge ?? '',
        scope: '',
      })
      return redirectTo(query.redirect_uri, { code, state: query.state ?? '' })
    }
    if (route === 'POST /open-apis/authen/v2/oauth/token') {
      if (!headers['content-type']?.startsWith('application/json'))
        return { status: 400, json: { code: 20036, error: 'invalid_request' } }
      if (body.client_secret !== larkApp.clientSecret)
        return { status: 400, json: { code: 20002, error: 'invalid_client' } }
      if (body.grant_type !== 'authorization_code' || !codes.redeem(body))
        return { status: 400, json: { code: 20003, error: 'invalid_grant' } }
      const token = `eyJ-${tokens.size}`
      tokens.set(token, { ...state.user })
      return { json: { code: 0, access_token: token, expires_in: 7200, token_type: 'Bearer' } }
    }
    if (route === 'GET /open-apis/authen/v1/user_info') {
      const data = tokens.get(String(headers.authorization).replace('Bearer ', ''))
      return data
        ? { json: { code: 0, msg: 'success', data } }
        : { status: 401, json: { code: 20005, msg: 'invalid access token' } }
    }
    return undefined
  })
  return { ...vendor, state }
}
