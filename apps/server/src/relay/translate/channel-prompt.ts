import { isDialect, readFieldRanges, systemPromptEdits } from '@hub/dialects'
import { guessTokens } from '@hub/dialects/prompt-count'
import type { ChannelPrompt } from '../channels/channel.ts'
import type { CallContext } from '../context.ts'

/**
 * The call as a channel with a system prompt of its own serves it. The request that leaves is the one that is counted,
 * translated and charged. Compaction has no prompt of its own.
 */
export const withChannelPrompt = (context: CallContext, prompt: ChannelPrompt): CallContext => {
  const { parsed, dialect, target } = context
  if (context.operation !== 'chat' || !isDialect(dialect) || target.pathSuffix !== undefined)
    return context
  const edits = systemPromptEdits(dialect.id, parsed, prompt)
  if (Object.keys(edits).length === 0) return context
  const body = dialect.splice(parsed, edits)
  const read = readFieldRanges(body, 0, body.length, [])
  const fieldRanges = read.ok ? read.fieldRanges : parsed.fieldRanges
  const promptTokens = parsed.promptTokens + prompt.tokens
  const channelPromptTokens = guessTokens({ promptTokens: prompt.tokens })
  return {
    ...context,
    parsed: { ...parsed, body, fieldRanges, promptTokens, channelPromptTokens },
  }
}
