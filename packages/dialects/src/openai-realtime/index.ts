export {
  browserKeyProtocol,
  cancelResponse,
  encodeRealtimeFault,
  type RealtimeEvent,
  readRealtimeEvent,
} from './events.ts'
export { audioInputTokens } from './usage.ts'
