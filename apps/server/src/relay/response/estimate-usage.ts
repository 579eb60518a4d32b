import { noUsage, type ParsedRequest, type ToolCounts, type Usage } from '@hub/dialects'

/**
 * Usage by the gateway's own count: that of the request's fields where they fix it, else the cautious prompt tokens and
 * the output tokens that were delivered. The prompt is held, and counted anew before it is charged.
 */
export const estimateUsage = (
  { promptTokens, pricing }: Pick<ParsedRequest, 'promptTokens' | 'pricing'>,
  outputTokens: number,
  /** The part of these that is audio; undefined where it is not known, or the answer is whole. */
  audioTokens?: number,
): Usage => {
  if (pricing?.unreported) return forwardedSpeech(pricing.unreported, audioTokens)
  const usage = noUsage()
  usage.input = promptTokens
  usage.output = outputTokens - (audioTokens ?? 0)
  usage.audioOutput = audioTokens ?? 0
  return usage
}

/** A part of a speech costs what was forwarded of it, and never more than the whole. */
const forwardedSpeech = (whole: Usage, audioTokens: number | undefined): Usage =>
  audioTokens === undefined || whole.audioOutput <= audioTokens
    ? whole
    : { ...whole, audioOutput: audioTokens }

/** Calls of tools that were finished are sold, although no usage came. A report of them that came is the vendor's. */
export const withTools = (usage: Usage, tools: ToolCounts = noTools): Usage => {
  const missing = Object.entries(tools).filter(([kind, calls]) => calls > (usage.tools[kind] ?? 0))
  if (missing.length === 0) return usage
  return { ...usage, tools: { ...usage.tools, ...Object.fromEntries(missing) } }
}

const noTools: ToolCounts = {}
