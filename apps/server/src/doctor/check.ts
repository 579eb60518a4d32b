/** `warning`: it works, but should be changed. `skipped`: it is not configured, or another failure hides it. */
export type CheckState = 'ok' | 'warning' | 'failed' | 'skipped'

export type DoctorResult = {
  check: string
  state: CheckState
  /** A sentence that says what was found, and what to do. It contains no secret. */
  text: string
}

export const ok = (check: string, text: string): DoctorResult => ({ check, state: 'ok', text })
export const warning = (check: string, text: string): DoctorResult => ({
  ...{ check, text },
  state: 'warning',
})
export const failed = (check: string, text: string): DoctorResult => ({
  ...{ check, text },
  state: 'failed',
})
export const skipped = (check: string, text: string): DoctorResult => ({
  ...{ check, text },
  state: 'skipped',
})

/** Messages of clients may be empty where several addresses were tried. */
export const reasonOf = (error: unknown): string => {
  const { message, code, errors, detail } = (error ?? {}) as Record<string, unknown>
  // A failed statement says in its detail what the database answered.
  if (code === 'server.failed' && detail) return oneLine(String(detail))
  if (message) return oneLine(String(message))
  const [first] = Array.isArray(errors) ? errors : []
  return first ? reasonOf(first) : oneLine(String(code ?? error))
}

/** The reason of an error, where nothing else is said. */
export const sentenceOf = (error: unknown): string => `${reasonOf(error)}.`

const oneLine = (text: string) => text.replace(/\s+/g, ' ').replace(/\.$/, '').slice(0, 300)
