import type { Vendor } from '../../cell.ts'
import { framesOf, wholeOf } from './encode.ts'
import { errorBody } from './error.ts'
import { readBody } from './read.ts'

export const gemini: Vendor = {
  dialect: 'gemini',
  channel: { type: 25 },
  models: { usual: 'gemini-3.5-flash', older: 'gemini-2.5-flash' },
  read: readBody,
  whole: wholeOf,
  stream: framesOf,
  refuse: refusal => ({ body: errorBody(refusal) }),
  // https://ai.google.dev/api/tokens
  count: tokens => ({ totalTokens: tokens }),
}
