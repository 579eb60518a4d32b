import {
  type ChatAnswer,
  type ChatRequest,
  decodeCommonFault,
  decodeVendorFrames,
  defineVendorDialect,
  type Encoded,
  type FinishReason,
  finishReasonOf,
  type Json,
  listOf,
  noUsage,
  type Part,
  stringOf,
  tokenCountOf,
  type Usage,
  warningCollector,
} from '@hub/dialects'
import { encodeMessages } from './messages.ts'

const id = 'cohere-native'

/** Request fields of other dialects that this one does not have. */
const unsupportedFields = [
  ...(['parallelTools', 'verbosity', 'audio', 'metadata', 'user', 'safetyId', 'tier'] as const),
  ...(['store', 'cacheKey', 'cacheRetention', 'cache'] as const),
]

/** https://docs.cohere.com/reference/chat */
const encodeRequest = (request: ChatRequest): Encoded => {
  const warnings = warningCollector(id)
  const { model, stream, outputMax, temperature, topP, topK, stop, seed } = request
  const body: Record<string, unknown> = {
    model,
    messages: encodeMessages(request.messages, warnings),
    stream: stream === true,
    ...encodeTools(request, warnings.warnDropped),
    ...encodeFormat(request),
    ...encodeThinking(request),
    max_tokens: outputMax,
    temperature,
    p: topP,
    k: topK,
    seed,
    stop_sequences: stop?.length ? stop : undefined,
    frequency_penalty: request.frequencyPenalty,
    presence_penalty: request.presencePenalty,
    logprobs: request.logprobs ? true : undefined,
  }
  for (const name of unsupportedFields) if (request[name] !== undefined) warnings.warnDropped(name)
  if (request.modalities?.some(each => each !== 'text')) warnings.warnDropped('modalities')
  if ((request.n ?? 1) > 1) warnings.warnDropped('n')
  warnings.warnForeignFields(request.unknownFields)
  return { body, warnings: warnings.list }
}

const encodeTools = (
  { tools = [], toolChoice }: ChatRequest,
  warnDropped: (name: string) => void,
): Json => {
  const functions = tools.filter(each => each.type === 'function')
  if (functions.length < tools.length) warnDropped('tools (not a function)')
  if (functions.length === 0) return {}
  const body: Json = {
    tools: functions.map(({ name, description, schema }) => ({
      type: 'function',
      function: { name, description, parameters: schema ?? { type: 'object' } },
    })),
  }
  if (functions.some(each => each.strict)) body.strict_tools = true
  if (toolChoice?.type === 'none') body.tool_choice = 'NONE'
  else if (toolChoice && toolChoice.type !== 'auto') {
    body.tool_choice = 'REQUIRED'
    if (toolChoice.type === 'tool')
      body.tools = body.tools.filter((each: Json) => each.function.name === toolChoice.name)
    else if (toolChoice.type !== 'required') warnDropped('tool_choice')
  }
  return body
}

/** https://docs.cohere.com/docs/structured-outputs */
const encodeFormat = ({ format }: ChatRequest): Json => {
  if (format?.type === 'json') return { response_format: { type: 'json_object' } }
  if (format?.type !== 'schema') return {}
  return { response_format: { type: 'json_object', json_schema: format.schema } }
}

/** https://docs.cohere.com/docs/reasoning */
const encodeThinking = ({ reasoning }: ChatRequest): Json => {
  if (!reasoning) return {}
  if (reasoning.mode === 'disabled' || reasoning.effort === 'none')
    return { thinking: { type: 'disabled' } }
  const budget = reasoning.budget !== undefined && reasoning.budget > 0
  return {
    thinking: { type: 'enabled', ...(budget ? { token_budget: reasoning.budget } : {}) },
  }
}

const finishOf = (reason: unknown): FinishReason =>
  finishReasonOf('cohere', stringOf(reason)) ?? 'other'

/** The vendor bills `billed_units`; `tokens` also counts its own prompt. Undefined where neither is reported. */
const decodeUsage = (value: unknown): Usage | 'broken' => {
  const { billed_units, tokens } = (value ?? {}) as Json
  const counted = billed_units ?? tokens
  const input = tokenCountOf(counted?.input_tokens)
  const output = tokenCountOf(counted?.output_tokens)
  if (input === undefined || output === undefined) return 'broken'
  if (Number.isNaN(input) || Number.isNaN(output)) return 'broken'
  return { ...noUsage(), input, output }
}

const decodeAnswer = (value: unknown): ChatAnswer | undefined => {
  const body = value as Json
  const { message, finish_reason, usage } = body
  if (typeof message !== 'object' || message === null || finish_reason === undefined)
    return undefined
  const calls = listOf(message.tool_calls).map(
    (each): Part => ({
      type: 'tool-call',
      id: stringOf(each?.id),
      name: stringOf(each?.function?.name),
      input: stringOf(each?.function?.arguments),
    }),
  )
  const plan: Part[] = message.tool_plan
    ? [{ type: 'text', text: stringOf(message.tool_plan) }]
    : []
  const parts = [...plan, ...listOf(message.content).flatMap(decodeContent), ...calls]
  return {
    id: stringOf(body.id),
    model: '',
    choices: [{ parts, finish: { reason: finishOf(finish_reason) } }],
    ...(usage ? { reportedUsage: { usage: decodeUsage(usage) } } : {}),
  }
}

const decodeContent = (block: Json): Part[] => {
  if (block?.type === 'thinking') return [{ type: 'thinking', text: stringOf(block.thinking) }]
  return typeof block?.text === 'string' ? [{ type: 'text', text: block.text }] : []
}

/** Cohere's chat API. https://docs.cohere.com/reference/chat-stream */
export const cohereChat = defineVendorDialect({
  id,
  encodeRequest,
  decodeAnswer,
  decodeUsage,
  decodeFault: decodeCommonFault,
  decodeFrames: emit =>
    decodeVendorFrames(emit, ({ type, id: answerId, delta }, write) => {
      const { message = {} } = delta ?? {}
      switch (type) {
        case 'message-start':
          return write.start(stringOf(answerId), '')
        case 'content-delta':
          write.thinking(stringOf(message.content?.thinking))
          return write.text(stringOf(message.content?.text))
        case 'tool-plan-delta':
          return write.text(stringOf(message.tool_plan))
        case 'tool-call-start': {
          const { id: callId, function: called } = message.tool_calls ?? {}
          const name = stringOf(called?.name)
          return write.toolCall({ id: stringOf(callId), name, input: stringOf(called?.arguments) })
        }
        case 'tool-call-delta':
          return write.toolInput(stringOf(message.tool_calls?.function?.arguments))
        case 'message-end':
          if (delta?.usage) write.usage({ usage: decodeUsage(delta.usage) })
          if (delta?.error) return write.fail({ message: stringOf(delta.error) })
          return write.finish(finishOf(delta?.finish_reason))
        default:
          // Frames such as `content-start` and citations add nothing that other dialects have.
          return
      }
    }),
})
