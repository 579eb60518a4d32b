import { Fault, type TestKind } from '@hub/contract'
import type { EndpointPath, Provider } from '@hub/providers'
import type { App } from '../core/app.ts'
import type { Channel } from '../relay/channels/channel.ts'
import type { ChannelKey } from '../relay/channels/keys.ts'
import { fetchAnswer } from './fetch-text.ts'
import type { SampleFailure } from './send-sample.ts'

export type Probe = { kind: TestKind; failure?: SampleFailure }

type Readable = { kind: TestKind; path: EndpointPath | undefined }

/** A vendor may let a key read these without a charge; they are tried in this order. */
const readable = ({ modelListPath, taskListPath, balance }: Provider): Readable[] => [
  { kind: 'models', path: modelListPath },
  { kind: 'tasks', path: taskListPath },
  { kind: 'balance', path: balance?.paths[0] },
]

/**
 * Reads something of a vendor that would charge for any call. Fails where the key is refused or no answer comes. Any
 * other status says that the vendor does not serve the request, and nothing about the channel.
 */
export const probe = async (app: App, channel: Channel, key: ChannelKey): Promise<Probe> => {
  for (const { kind, path } of readable(channel.provider)) {
    if (path === undefined) continue
    const answer = await fetchAnswer(app, channel, path, key).catch(faultOf)
    if (answer instanceof Fault)
      return { kind, failure: { fault: answer, reason: answer.message, isRefused: false } }
    if (answer.status === 200) return { kind }
    if (answer.status === 401) return { kind, failure: refusal }
  }
  return { kind: 'none' }
}

const faultOf = (error: unknown): Fault => {
  if (error instanceof Fault) return error
  throw error
}

const refusal: SampleFailure = {
  fault: new Fault('upstream.refused', { hint: 'It answered 401.' }),
  reason: 'The vendor refused the key with status 401.',
  isRefused: true,
  status: 401,
}
