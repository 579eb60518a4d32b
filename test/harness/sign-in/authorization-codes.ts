import { createHash, randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { keepAlive } from '../addresses/keep-alive.ts'

/** One authorization, which its code redeems. */
export type Authorization = {
  clientId: string
  redirectUri: string
  codeChallenge: string
  scope: string
}

/** Codes work once and for the redirect address and code verifier (RFC 7636) that they were issued for. */
export const makeCodes = () => {
  const codes = new Map<string, Authorization>()
  return {
    issue: (authorization: Authorization): string => {
      const code = randomBytes(10).toString('hex')
      codes.set(code, authorization)
      return code
    },
    redeem: (sent: Record<string, string | undefined>): Authorization | undefined => {
      const authorization = codes.get(sent.code ?? '')
      codes.delete(sent.code ?? '')
      if (!authorization) return undefined
      const { codeChallenge, redirectUri, clientId } = authorization
      const challenge = createHash('sha256')
        .update(sent.code_verifier ?? '')
        .digest('base64url')
      const isRight =
        sent.client_id === clientId &&
        (codeChallenge === '' ? sent.code_verifier === undefined : codeChallenge === challenge) &&
        (redirectUri === '' || sent.redirect_uri === redirectUri)
      return isRight ? authorization : undefined
    },
  }
}

export type VendorAnswer = { status?: number; json?: unknown; location?: string }
export type VendorCall = {
  method: string
  url: URL
  headers: IncomingMessage['headers']
  /** A JSON or form body. */
  body: Record<string, string>
}

/** A vendor on this machine; an unknown path answers 404. */
export const startVendor = async (
  answer: (call: VendorCall) => VendorAnswer | undefined | Promise<VendorAnswer | undefined>,
) => {
  const server = createServer(keepAlive, async (request, response) => {
    const base = `http://${request.headers.host}`
    const call = {
      method: request.method ?? '',
      url: new URL(request.url ?? '', base),
      headers: request.headers,
      body: readBody(request.headers['content-type'] ?? '', await textOf(request)),
    }
    send(response, (await answer(call)) ?? { status: 404, json: { message: 'Not Found' } })
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: async () => {
      server.closeAllConnections()
      await new Promise(resolve => server.close(resolve))
    },
  }
}

const textOf = async (request: IncomingMessage) => {
  let text = ''
  for await (const chunk of request) text += chunk
  return text
}

const readBody = (type: string, text: string): Record<string, string> => {
  if (type.startsWith('application/json')) return JSON.parse(text)
  if (type.startsWith('application/x-www-form-urlencoded'))
    return Object.fromEntries(new URLSearchParams(text))
  return {}
}

const send = (response: ServerResponse, { status, json, location }: VendorAnswer) => {
  if (location !== undefined) response.writeHead(302, { location }).end()
  else
    response
      .writeHead(status ?? 200, { 'content-type': 'application/json; charset=utf-8' })
      .end(JSON.stringify(json))
}

/** The address to which a browser returns. */
export const redirectTo = (redirectUri: string, query: Record<string, string>): VendorAnswer => {
  const url = new URL(redirectUri)
  for (const [key, value] of Object.entries(query)) url.searchParams.set(key, value)
  return { location: url.href }
}
