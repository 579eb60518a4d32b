import type { Upstream } from '../dialect.ts'
import { decodeFrames } from './events.ts'
import { decodeFault } from './fault.ts'
import { read, splice } from './passing.ts'
import { decodeReply, readReply } from './reply.ts'
import { encodeRequest } from './request.ts'
import { decodeUsage } from './usage.ts'

/**
 * Amazon Bedrock's one way to call models of many makers. Only upstreams speak it.
 * https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_Converse.html
 */
export const converse: Upstream = {
  id: 'converse',
  read,
  splice,
  askForUsage: () => ({}),
  readReply,
  decodeUsage,
  decodeFault,
  encodeRequest,
  decodeReply,
  decodeFrames,
}
