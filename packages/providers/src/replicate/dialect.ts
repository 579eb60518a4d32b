import {
  type ChatAnswer,
  type ChatRequest,
  decodeVendorFrames,
  defineVendorDialect,
  type Encoded,
  type Json,
  type Message,
  noUsage,
  stringOf,
  tokenCountOf,
  type Usage,
  warningCollector,
} from '@hub/dialects'
import { decodePredictionFault, hasEnded, isRunning } from './prediction.ts'

const id = 'replicate-native'

/** Fields that the language models of this vendor do not have. */
const unsupportedFields = [
  ...(['parallelTools', 'verbosity', 'audio', 'metadata', 'user', 'safetyId', 'tier'] as const),
  ...(['store', 'cacheKey', 'cacheRetention', 'cache', 'logprobs', 'reasoning'] as const),
]

/** Inputs of the language models: https://replicate.com/meta/meta-llama-3-70b-instruct/api/schema */
const encodeRequest = (request: ChatRequest): Encoded => {
  const warnings = warningCollector(id)
  const { model, messages, stop } = request
  for (const name of unsupportedFields) if (request[name] !== undefined) warnings.warnDropped(name)
  warnings.warnForeignFields(request.unknownFields)
  const isInstruction = ({ role }: Message) => role === 'system' || role === 'developer'
  const instructions = messages.filter(isInstruction).map(textOf).join('\n')
  const turns = messages.filter(each => !isInstruction(each))
  const version = model.split(':')[1]
  const input = {
    prompt: promptOf(turns),
    ...(instructions === '' ? {} : { system_prompt: instructions }),
    max_tokens: request.outputMax,
    temperature: request.temperature,
    top_p: request.topP,
    top_k: request.topK,
    seed: request.seed,
    presence_penalty: request.presencePenalty,
    frequency_penalty: request.frequencyPenalty,
    stop_sequences: stop?.length ? stop.join(',') : undefined,
  }
  const refusal = refusalOf(request)
  return {
    body: { ...(version === undefined ? {} : { version }), input },
    warnings: warnings.list,
    ...(refusal !== undefined && { refusal }),
  }
}

const refusalOf = ({ messages, tools, format, n = 1, modalities }: ChatRequest) => {
  if (tools?.length) return "'tools' must be absent for this model: it calls none."
  if (format && format.type !== 'text') return "'response_format' must be text for this model."
  if (n > 1) return "'n' must be 1 for this model."
  if (modalities?.some(each => each !== 'text')) return "'modalities' must be text for this model."
  const parts = messages.flatMap(each => each.parts)
  return parts.some(({ type }) => type !== 'text' && type !== 'thinking')
    ? "'messages' must contain text only for this model."
    : undefined
}

const textOf = ({ parts }: Message): string =>
  parts.map(part => (part.type === 'text' ? part.text : '')).join('')

/** Models take one text. A conversation becomes one as in One Hub. */
const promptOf = (turns: readonly Message[]): string => {
  if (turns.length === 1) return textOf(turns[0]!)
  return `${turns.map(each => `${each.role}: \n${textOf(each)}\n`).join('')}assistant: \n`
}

const decodeUsage = (value: unknown): Usage | 'broken' => {
  const { input_token_count, output_token_count } = (value ?? {}) as Json
  const input = tokenCountOf(input_token_count)
  const output = tokenCountOf(output_token_count)
  if (input === undefined || output === undefined) return 'broken'
  if (Number.isNaN(input) || Number.isNaN(output)) return 'broken'
  return { ...noUsage(), input, output }
}

const decodeAnswer = (value: unknown): ChatAnswer | undefined => {
  const { id: predictionId, status, output, metrics } = value as Json
  const isText = typeof output === 'string' || Array.isArray(output)
  // The text of a prediction that still runs is not complete.
  if (!isText || hasEnded(status) || isRunning(status)) return undefined
  const text = typeof output === 'string' ? output : output.map(stringOf).join('')
  const hasCount = metrics?.input_token_count !== undefined
  return {
    id: stringOf(predictionId),
    model: '',
    choices: [{ parts: [{ type: 'text', text }], finish: { reason: 'stop' } }],
    ...(hasCount ? { reportedUsage: { usage: decodeUsage(metrics) } } : {}),
  }
}

/** Predictions that are awaited: a caller's stream gets the whole answer at once. https://replicate.com/docs/reference/http */
export const replicateChat = defineVendorDialect({
  id,
  encodeRequest,
  decodeUsage,
  decodeFault: decodePredictionFault,
  decodeAnswer,
  decodeFrames: emit =>
    decodeVendorFrames(emit, (frame, write) => {
      const answer = decodeAnswer(frame)
      if (!answer) return write.fail(decodePredictionFault(Buffer.from(JSON.stringify(frame))))
      write.start(answer.id, '')
      for (const part of answer.choices[0]!.parts) if (part.type === 'text') write.text(part.text)
      if (answer.reportedUsage) write.usage(answer.reportedUsage)
      write.finish('stop')
    }),
})
