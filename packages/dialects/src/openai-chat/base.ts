import { splice } from '../json/splice.ts'
import { decodeFault, encodeFault, encodeFaultEvent } from './errors.ts'
import { limitHeaders } from './limit-headers.ts'
import { decodeUsage } from './usage.ts'

/** The parts that every operation of OpenAI's API shares with chat: JSON bodies, errors, rate limits. */
export const openaiBase = {
  id: 'openai-chat',
  splice,
  decodeUsage,
  decodeFault,
  encodeFault,
  encodeFaultEvent,
  limitHeaders,
  ping: ': ping\n\n',
} as const
