import type { AnswerSummary, CallerFormat } from '../dialect.ts'
import { isJsonObject } from '../json/json.ts'
import { invalid, literal, readTop } from '../json/read-request.ts'
import { openaiBase } from '../openai-chat/base.ts'
import type { PathParams, ReadResult } from '../parsed-request.ts'
import { plainParams, usageWith } from './read.ts'

/** A result counts like an image of a vendor with one price for every size. */
const tokensPerCall = 1_000

const read = (body: Buffer, params?: PathParams): ReadResult => {
  const top = readTop(body, ['model'])
  if (!top.ok) return top
  const { fieldRanges } = top
  const model = params?.model ?? ''
  const named = literal(body, fieldRanges.get('model'))
  if (named !== undefined && named !== JSON.stringify(model))
    return invalid(`'model' cannot be chosen at this address; leave it out.`)
  const usage = usageWith({ input: tokensPerCall })
  const pricing = { max: usage, unreported: usage, isExact: true, units: 1 }
  return {
    ok: true,
    parsed: { ...plainParams, model, promptTokens: tokensPerCall, pricing, fieldRanges, body },
  }
}

const readAnswer = (body: Buffer): AnswerSummary => {
  const answer = parse(body)
  if (!isJsonObject(answer)) return { ok: false, failure: undefined }
  const isError = 'error' in answer || ('code' in answer && 'message' in answer)
  if (isError) return { ok: false, failure: answer }
  return { ok: true, usage: undefined, meteredTokens: 0 }
}

const parse = (body: Buffer): unknown => {
  try {
    return JSON.parse(body.toString())
  } catch {
    return undefined
  }
}

/** A vendor's tool whose form and JSON answer pass as they are. The address names it. Errors have OpenAI's form. */
export const imageTools: CallerFormat = { ...openaiBase, id: 'vendor', read, readAnswer }
