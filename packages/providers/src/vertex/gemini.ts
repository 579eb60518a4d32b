import { defineTokenCount, type PathContext } from '../define.ts'
import { geminiRules } from '../gemini/model-rules.ts'
import type { Quirk } from '../quirks.ts'

/** The model as a path segment. The `@` before a date needs no encoding. */
export const modelSegment = (model: string) => encodeURIComponent(model).replace('%40', '@')

export const geminiPath = ({ model }: PathContext, action: string): string =>
  `/publishers/google/models/${modelSegment(model)}:${action}`

export const generateContentPath = (context: PathContext): string =>
  geminiPath(context, context.stream ? 'streamGenerateContent?alt=sse' : 'generateContent')

/** Google's Gemini API also accepts a `generateContentRequest` for counting. Vertex AI expects its fields at the top. */
const unwrapRequest: Quirk = {
  reach: 'deep',
  appliesTo: body => body.includes('"generateContentRequest"'),
  apply: body => {
    const { generateContentRequest: request, ...otherFields } = body
    delete body.generateContentRequest
    if (typeof request !== 'object' || request === null) return
    const { model: _, ...requestFields } = request as Record<string, unknown>
    Object.assign(body, { ...requestFields, ...otherFields })
  },
}

/** https://docs.cloud.google.com/vertex-ai/generative-ai/docs/model-reference/count-tokens */
export const countGeminiTokens = defineTokenCount(context => geminiPath(context, 'countTokens'), {
  onlyModels: /^gemini/,
  quirks: [unwrapRequest],
  modelRules: geminiRules,
})
