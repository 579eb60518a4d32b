import type { CallMessage, DialectId, TokenUsage, ToolCall } from '../../domain/calls/index.ts'
import type { AttachedImage } from './images.ts'

/** The log row of a call, as far as it is shown. */
export type CallRow = { id: number; quota: number; input: number; output: number; ms: number }

export type Answer = {
  /** 0 or 1, by which the answers of a turn are told apart. */
  column: number
  model: string
  dialect: DialectId
  text: string
  reasoning: string
  toolCalls: readonly ToolCall[]
  state: 'running' | 'done' | 'stopped' | 'failed'
  /** The key of a text, and the words of the server. */
  error?: { key: string; message: string }
  usage?: Partial<TokenUsage>
  row?: CallRow
}

/** A question and the answers of one model, or of two. */
export type Turn = {
  id: number
  prompt: string
  images: readonly AttachedImage[]
  /** Pictures that were too large to be kept through a reload. */
  lostImages: number
  answers: readonly Answer[]
}

/** The conversation as the model in this column knows it. A question without an answer is left out. */
export const messagesFor = (
  turns: readonly Turn[],
  column: number,
  question: Pick<Turn, 'prompt' | 'images'>,
): CallMessage[] => [
  ...turns.flatMap(turn => {
    const answer = turn.answers[column] ?? turn.answers[0]
    if (!answer?.text) return []
    return [asMessage(turn), { role: 'assistant' as const, text: answer.text }]
  }),
  asMessage(question),
]

const asMessage = ({ prompt, images }: Pick<Turn, 'prompt' | 'images'>): CallMessage => ({
  role: 'user',
  text: prompt,
  images,
})
