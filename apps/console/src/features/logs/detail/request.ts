import type { Log } from '@hub/contract'

/** The texts that stand where the stored row has no value, because requests are not stored. */
export type Placeholders = { message: string; rest: string }

const modelOf = ({ metadata, model_name }: Log): string =>
  String(metadata.requested_model ?? '') || model_name

const messages = (content: string) => [{ role: 'user', content }]

type Format = {
  matches: RegExp
  headers?: readonly string[]
  body: (model: string, texts: Placeholders) => Record<string, unknown>
}

const bearer = ['Authorization: Bearer $ONE_HUB_KEY']

/** The addresses whose shortest request is known. The first that matches is taken. */
const formats: Format[] = [
  {
    matches: /\/chat\/completions$/,
    body: (model, { message }) => ({ model, messages: messages(message) }),
  },
  {
    matches: /\/messages$/,
    headers: ['x-api-key: $ONE_HUB_KEY', 'anthropic-version: 2023-06-01'],
    body: (model, { message }) => ({ model, max_tokens: 1024, messages: messages(message) }),
  },
  {
    matches: /:(stream)?generateContent$/i,
    headers: ['x-goog-api-key: $ONE_HUB_KEY'],
    body: (_model, { message }) => ({ contents: [{ role: 'user', parts: [{ text: message }] }] }),
  },
  {
    matches: /\/(responses|embeddings|moderations)$/,
    body: (model, { message }) => ({ model, input: message }),
  },
  {
    matches: /\/(completions|images\/generations)$/,
    body: (model, { message }) => ({ model, prompt: message }),
  },
  {
    matches: /\/audio\/speech$/,
    body: (model, { message }) => ({ model, input: message, voice: 'alloy' }),
  },
  {
    matches: /\/rerank$/,
    body: (model, { message }) => ({ model, query: message, documents: [message] }),
  },
]

/** Streams that the body asks for; the Gemini API names them in its address. */
const streamed = /\/(chat\/completions|completions|messages|responses)$/

const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`

/** The call of a row as a curl command; undefined where its address was not recorded. The body is not stored. */
export const curlOf = (log: Log, server: string, texts: Placeholders): string | undefined => {
  const { path } = log.metadata
  if (typeof path !== 'string' || !path.startsWith('/')) return undefined
  const format = formats.find(each => each.matches.test(path))
  const body = format ? format.body(modelOf(log), texts) : { model: modelOf(log), '…': texts.rest }
  const whole = log.is_stream && streamed.test(path) ? { ...body, stream: true } : body
  const headers = [...(format?.headers ?? bearer), 'Content-Type: application/json']
  return [
    `curl ${quoted(`${server}${path}`)} \\`,
    // Double quotes, so that the shell fills in the variable.
    ...headers.map(each => `  -H "${each}" \\`),
    `  -d ${quoted(JSON.stringify(whole, null, 2))}`,
  ].join('\n')
}
