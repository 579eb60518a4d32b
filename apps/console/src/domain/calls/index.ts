export { dataUrl } from './encode.ts'
export { CallError, kindOf } from './errors.ts'
export { defaultMaxTokens, effortsOf, temperatureMax } from './limits.ts'
export { findLogRow } from './receipt.ts'
export { addToolCalls, streamChat } from './stream.ts'
export {
  type CallImage,
  type CallMessage,
  type CallParameters,
  type CallTool,
  type DialectId,
  dialectIds,
  dialectNames,
  type TokenUsage,
  type ToolCall,
} from './types.ts'
