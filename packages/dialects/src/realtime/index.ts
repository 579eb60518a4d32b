export type {
  MessageTokens,
  RealtimeEvent,
  RealtimeFormat,
  RealtimeReader,
  SocketEnd,
} from './format.ts'
export { geminiLive, readLiveSetup, replaceSessionHandle } from './gemini.ts'
export { browserKeyProtocol, openaiRealtime } from './openai.ts'
