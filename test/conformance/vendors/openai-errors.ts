import type { Refusal } from '../neutral.ts'

/** https://platform.openai.com/docs/guides/error-codes/api-errors */
const types: Readonly<Record<number, [type: string, code: string | null]>> = {
  400: ['invalid_request_error', null],
  401: ['invalid_request_error', 'invalid_api_key'],
  429: ['requests', 'rate_limit_exceeded'],
  500: ['server_error', null],
}

export const openaiRefusal = ({ status, message }: Refusal) => {
  const [type, code] = types[status] ?? ['server_error', null]
  return { error: { message, type, param: null, code } }
}
