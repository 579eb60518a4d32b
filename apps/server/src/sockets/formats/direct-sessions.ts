import { Fault } from '@hub/contract'
import { gemini, openaiChat } from '@hub/dialects'
import { type Route, routeIn } from '../../relay/formats/route.ts'

/** Nobody would be charged for what a client does at the vendor itself. */
const refuse = async (): Promise<void> => {
  throw new Fault('session.direct')
}

/**
 * Keys and calls by which a client would talk to the vendor itself:
 * https://developers.openai.com/api/docs/guides/realtime-webrtc, https://ai.google.dev/gemini-api/docs/ephemeral-tokens
 */
export const directSessions: readonly Route[] = [
  ...['/v1/realtime/*', '/realtime/*', '/v1/live/*'].map(path =>
    routeIn(openaiChat)('POST', path, 'direct-session', refuse),
  ),
  ...['v1', 'v1beta', 'v1alpha'].map(version =>
    routeIn(gemini)('POST', `/${version}/auth_tokens`, 'direct-session', refuse),
  ),
]
