import { fields, orNull, text, words } from './shape.ts'

export const innerError = fields({
  message: words,
  type: words,
  param: orNull(text),
  code: orNull(text),
})

/** https://platform.openai.com/docs/guides/error-codes: one object, whole or within a stream. */
export const openaiError = fields({ error: innerError })
