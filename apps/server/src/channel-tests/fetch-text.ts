import { Fault } from '@hub/contract'
import type { EndpointPath } from '@hub/providers'
import type { App } from '../core/app.ts'
import type { Channel } from '../relay/channels/channel.ts'
import type { ChannelKey } from '../relay/channels/keys.ts'
import { fetchSmall, type SmallAnswer } from '../relay/upstream/fetch-small.ts'
import { setHeaders } from '../relay/upstream/headers.ts'
import { signRequest } from '../relay/upstream/sign.ts'

const textMax = 4 * 1024 * 1024
/** An administrator waits for the answer. */
const timeoutMs = 30_000

/** Fetches a path with the channel's first credential. Any status but 200 is a fault. */
export const fetchText = async (
  app: App,
  channel: Channel,
  path: EndpointPath,
): Promise<string> => {
  const { status, body } = await fetchAnswer(app, channel, path, channel.keys[0]!)
  if (status === 200) return body.toString()
  throw new Fault('upstream.refused', { hint: `It answered ${status}.` })
}

/** Reads a path with one key of the channel. Any status is an answer. */
export const fetchAnswer = async (
  app: App,
  channel: Channel,
  path: EndpointPath,
  { credential }: Pick<ChannelKey, 'credential'>,
): Promise<SmallAnswer> => {
  const outgoing = signRequest(
    app,
    { channel, credential, path, model: '', stream: false },
    {
      method: 'GET',
      headers: setHeaders(['accept', 'application/json'], channel.provider.headers),
      body: null,
    },
  )
  return fetchSmall(app, outgoing, { sizeMax: textMax, timeoutMs })
}
