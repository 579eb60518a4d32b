import { audioRates } from '../meter.ts'
import { decodeFault, encodeFault, encodeFaultEvent } from './errors.ts'
import { splice } from './passthrough/splice.ts'
import { decodeUsage } from './usage.ts'

/** The parts that every operation of the Gemini API shares with chat. */
export const geminiBase = {
  id: 'gemini',
  audioTokensPerSecond: audioRates.gemini,
  splice,
  decodeUsage,
  decodeFault,
  encodeFault,
  encodeFaultEvent,
  ping: ': ping\n\n',
} as const
