import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { keepAlive } from '../addresses/keep-alive.ts'

/**
 * The wechat-server of songquanpeng: `GET /api/wechat/user?code=` with the token as `Authorization`, without "Bearer".
 * Every answer has status 200; an unknown code is a success without data, and a code stays valid for three minutes.
 */
export const startFakeWeChat = async (token: string) => {
  const codes = new Map<string, string>()
  const requests: string[] = []
  const server = createServer(keepAlive, (request, response) => {
    const url = new URL(request.url ?? '', 'http://wechat')
    requests.push(`${request.method} ${url.pathname}`)
    const answer =
      request.headers.authorization === token && url.pathname === '/api/wechat/user'
        ? { success: true, message: '', data: codes.get(url.searchParams.get('code') ?? '') ?? '' }
        : { success: false, message: 'wrong token', data: null }
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer))
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    codes,
    requests,
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}
