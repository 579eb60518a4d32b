import type { Log } from '@hub/contract'
import { type CallFormat, callFormatAt } from '@hub/contract/call-operations'

/** The texts that stand where the stored row has no value, because requests are not stored. */
export type Placeholders = { message: string; rest: string }

const modelOf = ({ metadata, model_name }: Log): string =>
  String(metadata.requested_model ?? '') || model_name

const bearer = ['Authorization: Bearer $ONE_HUB_KEY']

/** Headers of formats whose clients do not send the key as a bearer. */
const headersOf: Partial<Record<CallFormat['format'], readonly string[]>> = {
  anthropic: ['x-api-key: $ONE_HUB_KEY', 'anthropic-version: 2023-06-01'],
  gemini: ['x-goog-api-key: $ONE_HUB_KEY'],
}

const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`

/** The body is not stored, so that it is the shortest one of its format where that is known. */
const bodyOf = (log: Log, format: CallFormat | undefined, texts: Placeholders) => {
  const model = modelOf(log)
  if (!format?.request) return { model, '…': texts.rest }
  return {
    // The address names it otherwise.
    ...(format.path && { model }),
    ...format.request(texts.message),
    ...(log.is_stream && format.streamsText && { stream: true }),
  }
}

/** The call of a row as a curl command; undefined where its address was not recorded. */
export const curlOf = (log: Log, server: string, texts: Placeholders): string | undefined => {
  const { path } = log.metadata
  if (typeof path !== 'string' || !path.startsWith('/')) return undefined
  const format = callFormatAt(path)
  const headers = [
    ...((format && headersOf[format.format]) ?? bearer),
    'Content-Type: application/json',
  ]
  return [
    `curl ${quoted(`${server}${path}`)} \\`,
    // Double quotes, so that the shell fills in the variable.
    ...headers.map(each => `  -H "${each}" \\`),
    `  -d ${quoted(JSON.stringify(bodyOf(log, format, texts), null, 2))}`,
  ].join('\n')
}
