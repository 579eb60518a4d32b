import type { Ask, Edits, Upstream } from '@hub/dialects'
import { argumentEdits, deepEdits, type Endpoint, topEdits } from '@hub/providers'
import type { App } from '../core/app.ts'
import type { Channel } from './channels/channel.ts'
import { customEdits } from './upstream/custom-parameter.ts'
import { forwardedHeaders, setHeaders } from './upstream/headers.ts'
import type { Outgoing } from './upstream/send.ts'
import { signed } from './upstream/sign.ts'

export type Preparation = {
  ask: Ask
  dialect: Upstream
  channel: Channel
  credential: string
  endpoint: Endpoint
  /** As the upstream calls it. */
  model: string
  /** The caller's own, as they came. */
  rawHeaders: readonly string[]
}

/** Always in this order: the model's name, the provider's quirks, the operator's wishes, the signature. */
export const prepare = (app: App, preparation: Preparation): Outgoing => {
  const { ask, dialect, channel, credential, endpoint, model, rawHeaders } = preparation
  const edits = editsOf(preparation)
  const spliced = isEmpty(edits) ? ask.body : dialect.splice(ask, edits)
  const body = deepEdits(endpoint.quirks, spliced, model)
  const headers = forwardedHeaders(rawHeaders)
  headers.push(
    'content-type',
    'application/json',
    'accept',
    ask.stream ? 'text/event-stream' : 'application/json',
    // A compressed answer could neither be listened to nor passed on as it comes.
    'accept-encoding',
    'identity',
  )
  addMissing(headers, channel.provider.headers)
  return signed(
    app,
    { channel, credential, path: endpoint.path, model, stream: ask.stream, isBatch: ask.isBatch },
    { method: 'POST', headers: setHeaders(headers, channel.headers), body },
  )
}

const addMissing = (headers: string[], more: Readonly<Record<string, string>>) => {
  for (const name in more) if (!headers.includes(name)) headers.push(name, more[name]!)
}

const editsOf = ({ ask, dialect, channel, endpoint, model }: Preparation): Edits => {
  const edits: Edits = model === ask.model && ask.argument === undefined ? {} : { model }
  if (ask.argument !== undefined) Object.assign(edits, argumentEdits(ask.argument, model))
  if (ask.stream && endpoint.usageFlag) Object.assign(edits, dialect.askForUsage(ask))
  topEdits(endpoint.quirks, ask, model, edits)
  if (channel.customParameter)
    Object.assign(edits, customEdits(channel.customParameter, ask, model))
  return edits
}

const isEmpty = (edits: Edits) => {
  for (const _ in edits) return false
  return true
}
