import { anthropic } from './anthropic/index.ts'
import { converse } from './converse/index.ts'
import type { CallerFormat, Dialect, UpstreamDialect } from './dialect.ts'
import type { CallerDialectId, FormatId, SharedDialectId } from './dialect-id.ts'
import { gemini, geminiArray } from './gemini/index.ts'
import { openaiChat } from './openai-chat/index.ts'
import { openaiResponses } from './openai-responses/index.ts'

export * from './callers/formats.ts'
export * as callerFormats from './callers/formats.ts'
export { readResponsesAsChat } from './callers/responses-as-chat.ts'
export type * from './canon.ts'
export {
  addEvent,
  answerEvents,
  callNamer,
  collectAnswer,
  emptyAnswer,
  nameCalls,
} from './collect.ts'
export { listOf, stringOf, tokenCountOf } from './decode-values.ts'
export type * from './dialect.ts'
export type * from './dialect-id.ts'
export { effortEdits as callerEffortEdits, saysEffort } from './effort/caller-effort.ts'
export { claudeThinking, geminiThinking, type Thinking } from './effort/vendor-thinking.ts'
export * from './embeddings/canon.ts'
export { embeddingsOf } from './embeddings/index.ts'
export { emptinessOfEvent } from './empty-answers/canon.ts'
export type { Emptiness } from './empty-answers/emptiness.ts'
export type { FrameReader, Framing } from './framing/frame-reader.ts'
export { frameReader } from './framing/index.ts'
export { type GeminiPath, readPath as readGeminiPath } from './gemini/passthrough/path.ts'
export { decodeAsciiEscapes, includesWord, includesWords } from './json/escapes.ts'
export { readFieldRanges } from './json/field-ranges.ts'
export type { Json } from './json/json.ts'
export {
  hasBudgets,
  type ReasoningEffort,
  type ReasoningRequest,
  readReasoningEffort,
  readReasoningRequest,
} from './json/reasoning-request.ts'
export { type AnswerMarks, eventMarker, markAnswer } from './marks/answer.ts'
export * from './marks/mark.ts'
export { unmarkRequest } from './marks/request.ts'
export { audioWeight, weightedCharsInEvent, weightedCharsInPart } from './meter.ts'
export { applyFieldRules, applyModelRules, type RefusedBy } from './model-rules/apply.ts'
export { withoutEmptyMessages } from './model-rules/empty-messages.ts'
export { emptyNote } from './model-rules/messages.ts'
export { ruleRefusal } from './model-rules/refusal.ts'
export * from './model-rules/rule.ts'
export { forcedToolNote } from './model-rules/thinking.ts'
export {
  findModel,
  type KnownModel,
  knownModels,
  outputMaxOf,
  unlistedModels,
} from './models/find.ts'
export { decodeFault as decodeCommonFault } from './openai-chat/errors.ts'
export { limitField as chatLimitField } from './openai-chat/request/index.ts'
export { tokensPerImage } from './openai-operations/image-pricing.ts'
export { withDefaultModelOf, withModelOfPath } from './openai-operations/read.ts'
export { meterSpeech } from './openai-operations/speech.ts'
export { openaiCompaction } from './openai-responses/compact/dialect.ts'
export {
  compactionTrigger,
  withoutCompacted,
  withoutTriggers,
} from './openai-responses/compact/summary.ts'
export {
  collectOutput,
  emptyResponseEvents,
  encodeSocketFault,
  type OutputCollector,
  readSocketEvent,
  type SocketClientEvent,
  socketError,
  steerRefusal,
  withoutSocketHeaders,
  withStreamId,
} from './openai-responses/socket-events.ts'
export {
  type Closing,
  dropBareThoughts,
  endedResponse,
  inputItems,
  isFinished,
  listedItem,
  listItems,
  outputItems,
  type ResponseItem,
  type ResponseObject,
  readClosing,
  unfinishedResponse,
  withEarlier,
} from './openai-responses/stored-responses.ts'
export { soldItemTypes } from './openai-responses/usage.ts'
export * from './parsed-request.ts'
export * from './realtime/index.ts'
export * from './reasons/failure-output.ts'
export * from './reasons/failure-reasons.ts'
export * from './reasons/finish-reasons.ts'
export { type AnswerIds, noAnswerIds, outputIds } from './references/answer-ids.ts'
export { mayHaveReferences } from './references/needles.ts'
export * from './references/table.ts'
export { readToolCalls, type ToolCalls, toolCallsIn } from './sold-tools/tool-calls.ts'
export * from './system-prompt/edits.ts'
export * from './usage.ts'
export { defineVendorDialect } from './vendor-format/dialect.ts'
export { decodeVendorFrames, type PartWriter } from './vendor-format/stream.ts'
export { withCacheMarks } from './vendor-rules/cache-marks.ts'
export {
  emptyConversation,
  instructionNote,
  withUserMessage,
} from './vendor-rules/empty-conversation.ts'
export { hidesReasoning } from './vendor-rules/hidden-reasoning.ts'
export { type LinkedMedia, linkedMedia } from './vendor-rules/linked-media.ts'
export { replaceCallIds } from './vendor-rules/tool-call-ids.ts'
export {
  renameTools,
  restoreToolName,
  restoreToolNames,
  type ToolNames,
} from './vendor-rules/tool-names.ts'
export { pairToolResults } from './vendor-rules/tool-pairs.ts'
export { stateEdits } from './vendor-state/edits.ts'
export type { StateFilter } from './vendor-state/filter.ts'
export { type WarningCollector, warningCollector } from './warnings.ts'
export { geminiArray }

const dialects: Record<CallerDialectId, Dialect> & Record<SharedDialectId, UpstreamDialect> = {
  'openai-chat': openaiChat,
  'openai-responses': openaiResponses,
  anthropic,
  gemini,
  converse,
}

/** Every shared dialect of chat, under its id. */
export const isSharedDialectId = (id: FormatId): id is SharedDialectId =>
  Object.hasOwn(dialects, id)

/** Narrows the format of a caller to a dialect of chat. */
export const isDialect = (format: CallerFormat): format is Dialect => 'decodeRequest' in format

export const dialectOf = <Id extends SharedDialectId>(id: Id): (typeof dialects)[Id] => dialects[id]
