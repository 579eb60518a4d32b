import type { Refusal } from '../../neutral.ts'

/** https://platform.claude.com/docs/en/api/errors */
const types: Readonly<Record<number, string>> = {
  400: 'invalid_request_error',
  401: 'authentication_error',
  429: 'rate_limit_error',
  500: 'api_error',
}

export const errorBody = ({ status, message }: Refusal) => ({
  type: 'error',
  error: { type: types[status] ?? 'api_error', message },
  request_id: 'req_011CSHoEeqs5C35K2UUqR7Fy',
})
