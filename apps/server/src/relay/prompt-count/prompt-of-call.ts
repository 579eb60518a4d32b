import { inputTokens, type Usage } from '@hub/dialects'
import type { PromptUsage } from '../../billing/open-hold.ts'
import type { App } from '../../core/app.ts'
import type { Attempt, CallContext } from '../context.ts'
import { fairPromptTokens, type UncountedPrompt } from './fair-prompt.ts'

export const formatOf = (
  { dialect }: Pick<CallContext, 'dialect'>,
  { translation }: Pick<Attempt, 'translation'>,
): string => (translation?.to ?? dialect).id

const promptOf = (context: CallContext, attempt: Attempt): UncountedPrompt => ({
  parsed: context.parsed,
  format: formatOf(context, attempt),
  model: attempt.upstreamModel,
  userId: context.caller.userId,
  storedTokens: context.target.storedTokens,
})

/** The tokens of the call's prompt, by a tokenizer. */
export const countPromptOf = (app: App, context: CallContext, attempt: Attempt): Promise<number> =>
  fairPromptTokens(app, promptOf(context, attempt), { isExact: true })

/**
 * Makes what a checkpoint is charged for the prompt, if the call is cut off by a crash: what the vendor reported so far,
 * or else a count by scripts, which is made once.
 */
export const promptOfCheckpoints = (
  app: App,
  context: CallContext,
  attempt: Attempt,
  reported: () => Usage | 'broken' | undefined = () => undefined,
): (() => Promise<PromptUsage>) => {
  let counted: Promise<number> | undefined
  return async () => {
    const early = reported()
    if (typeof early === 'object' && inputTokens(early) > 0) return promptIn(early)
    const { pricing } = context.parsed
    if (pricing?.unreported && !pricing.isPromptCounted) return {}
    counted ??= fairPromptTokens(app, promptOf(context, attempt), { isExact: false })
    return { input: await counted }
  }
}

const promptIn = ({
  input,
  cacheRead,
  cacheReadAudio,
  cacheReadImage,
  cacheWrite5m,
  cacheWrite1h,
  audioInput,
  imageInput,
}: Usage): PromptUsage => ({
  ...{ input, cacheRead, cacheReadAudio, cacheReadImage },
  ...{ cacheWrite5m, cacheWrite1h, audioInput, imageInput },
})
