import type { CallerFormat } from '../dialect.ts'
import { invalid, readTop } from '../json/read-request.ts'
import { openaiBase } from '../openai-chat/base.ts'
import { mediaRule } from '../openai-chat/media.ts'
import type { ReadResult } from '../parsed-request.ts'
import {
  answerReader,
  isInvalid,
  plainParams,
  readModel,
  usageWith,
  withDefaultModel,
} from './read.ts'

const guarded = ['model', 'input'] as const

/** One Hub's default. */
const defaultModel = 'text-moderation-stable'

const read = (original: Buffer): ReadResult => {
  const body = withDefaultModel(original, defaultModel)
  const top = readTop(body, guarded, mediaRule)
  if (!top.ok) return top
  const { fieldRanges, promptTokens, hasAddresses } = top
  const model = readModel(body, fieldRanges)
  if (isInvalid(model)) return model
  const input = fieldRanges.get('input')
  if (!input || (body[input.start] !== 0x22 && body[input.start] !== 0x5b))
    return invalid("'input' must be a text, or a list of texts and images.")
  // The vendor reports no usage.
  const usage = usageWith({ input: promptTokens })
  const pricing = { max: usage, unreported: usage, isPromptCounted: true, isExact: true, units: 1 }
  return {
    ok: true,
    parsed: { ...plainParams, model, promptTokens, pricing, hasAddresses, fieldRanges, body },
  }
}

/** https://platform.openai.com/docs/api-reference/moderations */
export const openaiModerations: CallerFormat = {
  ...openaiBase,
  id: 'openai',
  read,
  readAnswer: answerReader({ list: 'results', decodeUsage: openaiBase.decodeUsage }),
}
