import { type Dialect, gemini, openaiChat, openaiResponses } from '@hub/dialects'
import type { Route } from '../../relay/formats/route.ts'

/** A route that accepts a WebSocket. */
export type SocketRoute = Route & { kind: 'responses' | 'realtime' | 'live' }

const socket = (path: string, kind: SocketRoute['kind'], dialect: Dialect): SocketRoute => ({
  ...{ method: 'GET', path, kind, dialect },
  operation: 'socket',
})

export const socketRoutes: readonly SocketRoute[] = [
  socket('/v1/responses', 'responses', openaiResponses),
  socket('/responses', 'responses', openaiResponses),
  socket('/v1/realtime', 'realtime', openaiChat),
  socket('/realtime', 'realtime', openaiChat),
]

/** Any path that ends in the name of Google's service: https://ai.google.dev/api/live */
export const liveRoute = socket('/ws/*', 'live', gemini)

/**
 * Keys and calls by which a client would talk to the vendor itself:
 * https://developers.openai.com/api/docs/guides/realtime-webrtc, https://ai.google.dev/gemini-api/docs/ephemeral-tokens
 */
export const directSessions: readonly Route[] = [
  ...['/v1/realtime/*', '/realtime/*', '/v1/live/*'].map(path => ({ path, dialect: openaiChat })),
  ...['v1', 'v1beta', 'v1alpha'].map(version => ({
    ...{ path: `/${version}/auth_tokens`, dialect: gemini },
  })),
].map(each => ({ ...each, method: 'POST', operation: 'direct-session' }))
