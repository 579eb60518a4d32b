export { api, type Call } from './client.ts'
export { isApiError } from './error.ts'
export { errorText } from './error-text.ts'
export { query } from './query.ts'

export { useAction } from './use-action.ts'
