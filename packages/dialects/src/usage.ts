/** What a call used, in tokens, as disjoint classes: no token is in two of them, none is negative. */
export type Usage = {
  /** Fresh input: read by the model, from no cache. */
  input: number
  cacheRead: number
  cacheWrite5m: number
  cacheWrite1h: number
  /** Visible output. */
  output: number
  reasoning: number
  audioInput: number
  audioOutput: number
  imageInput: number
  imageOutput: number
  /** Calls of tools that a provider sells by the call, by kind. */
  tools: Record<string, number>
}

export const noUsage = (): Usage => ({
  input: 0,
  cacheRead: 0,
  cacheWrite5m: 0,
  cacheWrite1h: 0,
  output: 0,
  reasoning: 0,
  audioInput: 0,
  audioOutput: 0,
  imageInput: 0,
  imageOutput: 0,
  tools: {},
})

/** What a log row shows as input and output. */
export const inputTokens = (usage: Usage): number =>
  usage.input +
  usage.cacheRead +
  usage.cacheWrite5m +
  usage.cacheWrite1h +
  usage.audioInput +
  usage.imageInput

export const outputTokens = (usage: Usage): number =>
  usage.output + usage.reasoning + usage.audioOutput + usage.imageOutput
