import type { T } from '../locales/use-t.ts'
import { isApiError } from './error.ts'

type ErrorMessage = { kind: 'error' | 'info'; text: string }

const textKeysByStatus: Record<number, [ErrorMessage['kind'], string]> = {
  0: ['error', 'common.errors.unreachable'],
  405: ['info', 'common.errors.demo'],
  429: ['error', 'common.errors.busy'],
  500: ['error', 'common.errors.server'],
}

/** The text for a failed call: the translated fault, else the server's message, else a text for the status. */
export const errorText = (t: T, error: unknown): ErrorMessage => {
  if (!isApiError(error))
    return { kind: 'error', text: t('common.errors.other', { message: String(error) }) }
  const hint = /`[^`]+`.*$/s.exec(error.message)?.[0]
  if (error.code) {
    const sentence = t(`faults.${error.code}`)
    return { kind: 'error', text: hint ? `${sentence} ${hint}` : sentence }
  }
  if (error.message)
    return { kind: 'error', text: t('common.errors.other', { message: error.message }) }
  const [kind, key] = textKeysByStatus[error.status] ?? ['error', 'common.errors.other']
  return { kind, text: t(key, { message: `HTTP ${error.status}` }) }
}
