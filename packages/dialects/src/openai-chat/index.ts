import type { Dialect } from '../dialect.ts'
import { splice } from '../json/splice.ts'
import { openaiBase } from './base.ts'
import { read, usageEdits } from './passthrough/read-request.ts'
import { readAnswer } from './passthrough/read-response.ts'
import { observeStream } from './passthrough/stream-observer.ts'
import { decodeRequest, encodeRequest, limitField } from './request/index.ts'
import { decodeAnswer, encodeResponse } from './response.ts'
import { decodeFrames } from './stream/decode.ts'
import { encodeEvents } from './stream/encode.ts'

// https://platform.openai.com/docs/api-reference/chat
export const openaiChat: Dialect = {
  ...openaiBase,
  mayShowThoughts: true,
  read,
  usageEdits,
  limitOutput: (parsed, limit, model) => splice(parsed, { [limitField(model)]: limit }),
  observeStream,
  readAnswer,
  decodeRequest,
  // https://platform.openai.com/docs/api-reference/chat/create: a file is `file_data` or `file_id`, audio is `data`.
  needsBytes: ({ mime }) => !/^(image|video)\//.test(mime),
  encodeRequest,
  decodeAnswer,
  encodeResponse,
  decodeFrames,
  encodeEvents,
}
