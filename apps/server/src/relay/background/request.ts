import type { Endpoint } from '@hub/providers'
import type { App } from '../../core/app.ts'
import type { Channel } from '../channels/channel.ts'
import { type AccountRequest, accountRequest } from '../upstream/accounts/account-request.ts'
import type { Outgoing } from '../upstream/send.ts'

/** An account that stores responses, and the endpoint that serves them. */
export type ResponseAccount = { channel: Channel; credential: string; endpoint: Endpoint }

export type StoredResponseRequest = Omit<AccountRequest, 'forwardedParams' | 'body'>

/** The query parameters that the vendor documents. No other is forwarded, above all no key. */
const forwardedParams = new Set([
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

/** Builds a request for a response that the account stores. */
export const storedResponseRequest = (
  app: App,
  { channel, credential, endpoint }: ResponseAccount,
  request: StoredResponseRequest,
): Outgoing =>
  accountRequest(app, { channel, credential, path: endpoint.path }, { ...request, forwardedParams })
