import type { FinishReason, generateText, LanguageModelUsage } from 'ai'
import type { Heard } from '../cell.ts'
import { type Finish, given, type Piece, some, type Usage } from '../facts.ts'

type Whole = Awaited<ReturnType<typeof generateText>>
export type Answer = Pick<Whole, 'content' | 'responseMessages'> & {
  finishReason: FinishReason
  usage: LanguageModelUsage
}

const finishes: Partial<Record<FinishReason, Finish>> = {
  stop: 'stop',
  length: 'length',
  'tool-calls': 'tools',
  'content-filter': 'filter',
}

export const readAnswer = ({ content, finishReason, usage, responseMessages }: Answer): Heard =>
  given({
    native: responseMessages as unknown,
    pieces: content.flatMap(pieceOf),
    finish: finishes[finishReason],
    usage: usageOf(usage),
  })

const pieceOf = (part: Whole['content'][number]): Piece[] => {
  if (part.type === 'text') return [{ text: part.text }]
  if (part.type === 'reasoning') return [{ thinking: part.text }]
  if (part.type !== 'tool-call') return []
  const { toolName: call, toolCallId: id, input } = part
  return [{ call, id, input: input as Record<string, unknown> }]
}

const usageOf = ({
  inputTokenDetails: of,
  outputTokens = 0,
  ...usage
}: LanguageModelUsage): Usage => {
  const reasoning = usage.outputTokenDetails.reasoningTokens ?? 0
  return given({
    input: of.noCacheTokens ?? usage.inputTokens ?? 0,
    output: outputTokens - reasoning,
    cacheRead: some(of.cacheReadTokens),
    cacheWrite: some(of.cacheWriteTokens),
    reasoning: some(reasoning),
  })
}
