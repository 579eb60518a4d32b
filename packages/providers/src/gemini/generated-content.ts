import { decodeCommonFault, gemini, type Json } from '@hub/dialects'
import { parseObject } from '../openai-fields.ts'
import type { OperationTranslation } from '../operation-translation.ts'

/** Bytes that a model made, with the usage of the call. https://ai.google.dev/api/generate-content */
export const readInlineData = (body: Buffer) => {
  const answer = parseObject(body)
  const parts: Json[] = answer?.candidates?.[0]?.content?.parts ?? []
  const made = parts.flatMap(({ inlineData, thought }) =>
    inlineData && !thought ? inlineData : [],
  )
  if (!answer || made.length === 0) return undefined
  const { usageMetadata } = answer
  return {
    made: made as { mimeType?: string; data: string }[],
    text: parts.map(({ text }) => text ?? '').join(''),
    ...(usageMetadata ? { usage: gemini.decodeUsage(usageMetadata) } : {}),
  }
}

/** A refused prompt has status 200, and a reason instead of a result. */
export const decodeBlockedPrompt: NonNullable<OperationTranslation['decodeFault']> = body => {
  const { promptFeedback, candidates, predictions } = parseObject(body) ?? {}
  const filtered: Json | undefined = predictions?.find((each: Json) => each?.raiFilteredReason)
  const reason: unknown =
    promptFeedback?.blockReason ?? filtered?.raiFilteredReason ?? candidates?.[0]?.finishReason
  if (typeof reason !== 'string') return decodeCommonFault(body)
  const message = `The provider made nothing for this prompt: ${reason}`
  return { message, type: 'invalid_request_error', code: 'content_filter' }
}
