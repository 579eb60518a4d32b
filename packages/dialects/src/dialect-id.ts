/** A dialect that callers can use. */
export type CallerDialectId = 'openai-chat' | 'openai-responses' | 'anthropic' | 'gemini'

/** Every dialect, including those that only upstreams use. */
export type DialectId = CallerDialectId | 'converse'
