import { randomUUID } from 'node:crypto'
import {
  type ChatRequest,
  decodeCommonFault,
  decodeVendorFrames,
  defineVendorDialect,
  type Encoded,
  type Json,
  noUsage,
  type PartWriter,
  stringOf,
  tokenCountOf,
  type Usage,
  warningCollector,
} from '@hub/dialects'
import { encodeMessages } from './messages.ts'

const id = 'coze-native'

/** The bot decides these itself. */
const unsupportedFields = [
  ...(['outputMax', 'temperature', 'topP', 'topK', 'stop', 'seed', 'reasoning'] as const),
  ...(['presencePenalty', 'frequencyPenalty', 'logprobs', 'verbosity', 'metadata'] as const),
  ...(['parallelTools', 'tier', 'store', 'cacheKey', 'cacheRetention', 'cache'] as const),
]

/** https://docs.coze.cn/developer_guides/chat_v3 */
const encodeRequest = (request: ChatRequest): Encoded => {
  const warnings = warningCollector(id)
  const messages = encodeMessages(request.messages, warnings)
  for (const name of unsupportedFields) if (request[name] !== undefined) warnings.warnDropped(name)
  if (request.tools?.length) warnings.warnDropped('tools')
  warnings.warnForeignFields(request.unknownFields)
  const refusal = messages.refusal ?? refusalOf(request)
  return {
    body: {
      bot_id: request.model.replace(/^coze-/, ''),
      // The bot remembers by this id. Callers without one must not share their memory.
      user_id: request.user ?? request.safetyId ?? randomUUID(),
      // Without a stream the answer would have to be polled.
      stream: true,
      // Callers send the whole conversation each time.
      auto_save_history: false,
      additional_messages: messages.list,
    },
    warnings: warnings.list,
    ...(refusal !== undefined && { refusal }),
  }
}

const refusalOf = ({ toolChoice, format, n = 1, modalities }: ChatRequest) => {
  if (toolChoice && toolChoice.type !== 'auto' && toolChoice.type !== 'none')
    return "'tool_choice' must be 'auto' or 'none' for this model: a bot calls its own tools only."
  if (format && format.type !== 'text')
    return "'response_format' must be text for this model: a bot's format is set in the bot."
  if (n > 1) return "'n' must be 1 for this model."
  if (modalities?.some(each => each !== 'text')) return "'modalities' must be text for this model."
  return undefined
}

const decodeUsage = (value: unknown): Usage | 'broken' => {
  const { input_count, output_count } = (value ?? {}) as Json
  const input = tokenCountOf(input_count)
  const output = tokenCountOf(output_count)
  if (input === undefined || output === undefined) return 'broken'
  if (Number.isNaN(input) || Number.isNaN(output)) return 'broken'
  return { ...noUsage(), input, output }
}

const writeMessage = ({ content, reasoning_content }: Json, write: PartWriter): void => {
  write.thinking(stringOf(reasoning_content))
  write.text(stringOf(content))
}

const writeFailure = (error: Json | undefined, write: PartWriter): void =>
  write.fail({ message: stringOf(error?.msg), code: String(error?.code ?? '') })

/** Coze's chat API. https://docs.coze.cn/developer_guides/chat_v3 */
export const cozeChat = defineVendorDialect({
  id,
  encodeRequest,
  decodeUsage,
  decodeFault: decodeCommonFault,
  decodeFrames: emit => {
    const streamedMessages = new Set<unknown>()
    return decodeVendorFrames(emit, (frame, write, event) => {
      switch (event) {
        case 'conversation.chat.created':
          return write.start(stringOf(frame.id), '')
        case 'conversation.message.delta':
          if (frame.type !== 'answer') return
          streamedMessages.add(frame.id)
          return writeMessage(frame, write)
        case 'conversation.message.completed':
          // Repeats the whole message, except that some messages arrive in one piece.
          if (frame.type === 'answer' && !streamedMessages.has(frame.id)) writeMessage(frame, write)
          return
        case 'conversation.chat.completed':
          if (frame.usage) write.usage({ usage: decodeUsage(frame.usage) })
          return write.finish('stop')
        case 'conversation.chat.requires_action':
          return write.fail({ message: 'The bot waits for a tool that the caller cannot run.' })
        case 'conversation.chat.failed':
          return writeFailure(frame.last_error, write)
        case 'error':
          return writeFailure(frame, write)
        default:
          // Frames such as `conversation.chat.in_progress` add nothing.
          return
      }
    })
  },
})
