import type { FinishReason, generateText, LanguageModelUsage } from 'ai'
import type { ClientResponse } from '../../cell.ts'
import { definedFields, type Finish, nonEmpty, type Piece, type Usage } from '../../neutral.ts'

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

export const readAnswer = ({
  content,
  finishReason,
  usage,
  responseMessages,
}: Answer): ClientResponse =>
  definedFields({
    native: responseMessages as unknown,
    pieces: content.flatMap(pieceOf),
    finish: finishes[finishReason],
    usage: usageOf(usage),
  })

const pieceOf = (part: Whole['content'][number]): Piece[] => {
  if (part.type === 'text') return [{ text: part.text }]
  if (part.type === 'reasoning') return [{ thinking: part.text }]
  if (part.type !== 'tool-call') return []
  const { toolName: call, toolCallId: id, input, providerMetadata } = part
  const signature = providerMetadata?.google?.thoughtSignature as string | undefined
  return [definedFields({ call, id, input: input as Record<string, unknown>, signature })]
}

const usageOf = ({
  inputTokenDetails: details,
  outputTokens = 0,
  ...usage
}: LanguageModelUsage): Usage => {
  const reasoning = usage.outputTokenDetails.reasoningTokens ?? 0
  return definedFields({
    input: details.noCacheTokens ?? usage.inputTokens ?? 0,
    output: outputTokens - reasoning,
    cacheRead: nonEmpty(details.cacheReadTokens),
    cacheWrite: nonEmpty(details.cacheWriteTokens),
    reasoning: nonEmpty(reasoning),
  })
}
