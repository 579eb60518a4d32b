import type { Usage } from '@hub/dialects'

/** The classes of tokens in a usage, by the price they go by. No token is in two of them. */
export const inputClasses = [
  'input',
  'cacheRead',
  'cacheWrite5m',
  'cacheWrite1h',
  'audioInput',
  'imageInput',
] as const satisfies readonly (keyof Usage)[]

const outputClasses = [
  'output',
  'reasoning',
  'audioOutput',
  'imageOutput',
] as const satisfies readonly (keyof Usage)[]

export const tokenClasses = [...inputClasses, ...outputClasses] as const
export type TokenClass = (typeof tokenClasses)[number]

/** A usage of what is named, and nothing else. */
export const usageOf = (used: Partial<Usage>): Usage => Object.assign(noUsage(), used)

/** The dialects have these three too: money is counted without any of their code, so only the type is theirs. */
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

/** Written out, since a stream asks at every chunk. */
export const inputTokens = (usage: Usage): number =>
  usage.input +
  usage.cacheRead +
  usage.cacheWrite5m +
  usage.cacheWrite1h +
  usage.audioInput +
  usage.imageInput

export const outputTokens = (usage: Usage): number =>
  usage.output + usage.reasoning + usage.audioOutput + usage.imageOutput
