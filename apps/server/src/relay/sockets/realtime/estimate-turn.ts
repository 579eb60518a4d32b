import { type MessageTokens, noUsage, type Usage } from '@hub/dialects'

type CountedTurn = {
  /** Output of the running responses. */
  made: Usage
  /** Tokens that the caller sent since the last response. */
  sent: MessageTokens
  /** Tokens of the conversation before that. */
  conversationTokens: number
  /** The vendor reads the conversation from its cache. */
  isContextCached: boolean
}

/** The usage of a turn by the gateway's own count. */
export const estimateTurn = (turn: CountedTurn): Usage => {
  const { made, sent, conversationTokens, isContextCached } = turn
  const text = Math.ceil(sent.text)
  return {
    ...noUsage(),
    output: Math.ceil(made.output),
    audioOutput: Math.ceil(made.audioOutput),
    input: isContextCached ? text : text + conversationTokens,
    cacheRead: isContextCached ? conversationTokens : 0,
    audioInput: Math.ceil(sent.audio),
    imageInput: Math.ceil(sent.image),
  }
}
