import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { keepAlive } from '../../../../test/harness/addresses/keep-alive.ts'

type Token = { hostname: string; action: string }

/**
 * Cloudflare's siteverify with its rules: a form or JSON body, a known secret, each token once, and only those that a
 * widget made (https://developers.cloudflare.com/turnstile/get-started/server-side-validation/).
 */
export const startTurnstileService = async (secret: string) => {
  const tokens = new Map<string, Token>()
  const requests: URLSearchParams[] = []
  let made = 0
  let isDown = false
  const server = createServer(keepAlive, async (request, response) => {
    let text = ''
    for await (const chunk of request) text += chunk
    const fields = new URLSearchParams(text)
    requests.push(fields)
    if (isDown) return void response.writeHead(502).end('<html>Bad gateway</html>')
    const token = tokens.get(fields.get('response') ?? '')
    tokens.delete(fields.get('response') ?? '')
    const failed = (code: string) => ({ success: false, 'error-codes': [code], messages: [] })
    const answer =
      request.method !== 'POST' || !request.headers['content-type']?.includes('form-urlencoded')
        ? failed('bad-request')
        : fields.get('secret') !== secret
          ? failed('invalid-input-secret')
          : !fields.get('response')
            ? failed('missing-input-response')
            : token
              ? { success: true, 'error-codes': [], ...token, challenge_ts: '2026-11-24T03:00:00Z' }
              : failed('timeout-or-duplicate')
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer))
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}/turnstile/v0/siteverify`,
    requests,
    /** A token as the widget of the page makes it. */
    solve: (action: string, hostname = 'hub.example') => {
      const token = `0.token-${++made}`
      tokens.set(token, { hostname, action })
      return token
    },
    breakDown: (value: boolean) => {
      isDown = value
    },
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}
