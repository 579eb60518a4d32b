export { anthropicMaxTokens } from './anthropic.ts'
export { dataUrl } from './encode.ts'
export { CallError, type CallErrorKind, kindOf } from './errors.ts'
export { findLogRow } from './receipt.ts'
export { addToolCalls, streamChat } from './stream.ts'
export {
  type CallImage,
  type CallMessage,
  type CallParameters,
  type CallTool,
  type DialectId,
  dialectIds,
  type TokenUsage,
  type ToolCall,
} from './types.ts'
