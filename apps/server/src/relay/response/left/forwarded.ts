import { outputTokens, type ToolCounts, type Usage } from '@hub/dialects'

/** An answer at the moment its caller left. */
export type LeftAnswer = {
  /** Output tokens that were forwarded, by the gateway's meter. */
  metered: number
  /** The part of them that is audio; undefined where the answer has none. */
  audio: number | undefined
  /** The part of them that is visible reasoning. */
  visibleReasoning: number
  /** The finished calls of tools; undefined where the dialect counts none. */
  tools?: ToolCounts | undefined
  /** The upstream's figures so far. */
  reported: Usage | 'broken' | undefined
  /** Monotonic milliseconds. */
  at: number
}

type ReadAnswer = {
  /** The upstream's figures of all that was read. */
  reported: Usage
  /** Output tokens that were read, by the gateway's meter. */
  metered: number
}

/**
 * The usage of the part that was forwarded. Prompt, reasoning and tools are the upstream's figures. Output that was read
 * after the caller had left is taken off: of visible output the share by the gateway's meter. Images are made as one.
 */
export const forwardedUsage = (
  { reported, metered: read }: ReadAnswer,
  { metered: forwarded }: Pick<LeftAnswer, 'metered'>,
): Usage => {
  if (read <= forwarded) return reported
  const hidden = uncountedReasoning(reported, read)
  return {
    ...reported,
    output: hidden + shareOf(reported.output - hidden, forwarded, read),
    audioOutput: shareOf(reported.audioOutput, forwarded, read),
  }
}

/** Twice the meter's count, and a little, is no error of the meter any more. */
const meterFactor = 2
const meterMargin = 64

/** Some vendors count reasoning as output only. Then the output is far more than what was read. */
const uncountedReasoning = (reported: Usage, read: number): number => {
  if (reported.reasoning > 0 || reported.imageOutput > 0 || reported.audioOutput > 0) return 0
  const total = outputTokens(reported)
  return total > read * meterFactor + meterMargin ? total - read : 0
}

/** Does this for a response of a realtime session, whose text and audio are counted apart. */
export const forwardedTurn = (
  reported: Usage,
  { read, forwarded }: { read: Usage; forwarded: Usage },
): Usage => ({
  ...reported,
  output: shareOf(reported.output, forwarded.output, read.output),
  audioOutput: shareOf(reported.audioOutput, forwarded.audioOutput, read.audioOutput),
})

const shareOf = (count: number, forwarded: number, read: number): number =>
  read > forwarded ? Math.min(count, Math.ceil((count * forwarded) / read)) : count
