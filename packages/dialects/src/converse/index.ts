import type { UpstreamDialect } from '../dialect.ts'
import { decodeFault } from './errors.ts'
import { read, splice } from './passthrough.ts'
import { encodeRequest } from './request/index.ts'
import { decodeAnswer, readAnswer } from './response.ts'
import { decodeFrames } from './stream.ts'
import { decodeUsage } from './usage.ts'

/**
 * Amazon Bedrock's common API for models of many vendors. Upstreams use it, callers do not.
 * https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_Converse.html
 */
export const converse: UpstreamDialect = {
  id: 'converse',
  read,
  splice,
  usageEdits: () => ({}),
  readAnswer,
  decodeUsage,
  decodeFault,
  // https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_ImageSource.html
  needsBytes: ({ url }) => !url.startsWith('s3://'),
  encodeRequest,
  decodeAnswer,
  decodeFrames,
}
