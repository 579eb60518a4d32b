import type { Upstream } from '../dialect.ts'
import { decodeFault } from './errors.ts'
import { read, splice } from './passthrough.ts'
import { encodeRequest } from './request/index.ts'
import { decodeReply, readReply } from './response.ts'
import { decodeFrames } from './stream.ts'
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
