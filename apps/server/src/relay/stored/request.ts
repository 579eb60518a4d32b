import type { Endpoint } from '@hub/providers'
import { pathUnder } from '@hub/providers'
import type { App } from '../../core/app.ts'
import type { Channel } from '../channels/channel.ts'
import { forwardedHeaders, setHeaders } from '../upstream/headers.ts'
import { type Sending, send } from '../upstream/send.ts'
import { signed } from '../upstream/sign.ts'

/** An account that keeps answers, and where it is asked for them. */
export type Account = { channel: Channel; credential: string; endpoint: Endpoint }

export type KeptRequest = {
  method: 'GET' | 'POST' | 'DELETE'
  /** What stands behind the dialect's address. */
  under: string
  query: string
  /** The caller's own, as they came. */
  rawHeaders: readonly string[]
}

/** What the vendor's documents list; nothing else of an address goes on, and no key that stands in one. */
const passed = new Set([
  'include',
  'include[]',
  'stream',
  'starting_after',
  'include_obfuscation',
  'limit',
  'order',
  'after',
  'before',
])

/** Asks the account for something that it keeps. */
export const askKept = (app: App, account: Account, request: KeptRequest): Sending => {
  const { channel, credential, endpoint } = account
  const { method, under, rawHeaders } = request
  const headers = setHeaders(forwardedHeaders(rawHeaders), {
    accept: '*/*',
    'accept-encoding': 'identity',
  })
  for (const [name, value] of Object.entries(channel.provider.headers))
    if (!headers.includes(name)) headers.push(name, value)
  const out = signed(
    app,
    { channel, credential, path: pathUnder(endpoint.path, under), model: '', stream: false },
    { method, headers: setHeaders(headers, channel.headers), body: null },
  )
  const query = passedOn(request.query)
  if (query !== '') out.path += `${out.path.includes('?') ? '&' : '?'}${query}`
  return send(app, out)
}

const passedOn = (query: string): string =>
  query === ''
    ? ''
    : new URLSearchParams(
        [...new URLSearchParams(query)].filter(([name]) => passed.has(name)),
      ).toString()
