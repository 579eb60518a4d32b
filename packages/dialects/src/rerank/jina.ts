import { tokenCountOf } from '../decode-values.ts'
import type { CallerFormat, ErrorInfo } from '../dialect.ts'
import { isJsonObject } from '../json/json.ts'
import { openaiBase } from '../openai-chat/base.ts'
import { answerReader } from '../openai-operations/read.ts'
import { noUsage, type Usage } from '../usage.ts'
import { readRerank } from './read.ts'

const decodeUsage = (value: unknown): Usage | 'broken' => {
  if (!isJsonObject(value)) return 'broken'
  const input = tokenCountOf(value.total_tokens) ?? tokenCountOf(value.prompt_tokens)
  return input === undefined || Number.isNaN(input) ? 'broken' : { ...noUsage(), input }
}

/** Errors of Jina: https://api.jina.ai/redoc */
const encodeFault = (info: ErrorInfo) => ({
  status: openaiBase.encodeFault(info).status,
  headers: { 'content-type': 'application/json; charset=utf-8' },
  body: JSON.stringify({ detail: `${info.message} (request id: ${info.requestId})` }),
})

/** The form that translations of reranking read and write: https://api.jina.ai/redoc#tag/rerank */
export const jinaRerank: CallerFormat = {
  ...openaiBase,
  id: 'jina',
  read: readRerank,
  readAnswer: answerReader({ list: 'results', decodeUsage }),
  decodeUsage,
  encodeFault,
}
