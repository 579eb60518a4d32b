import { inputTokens, outputTokens, type Usage } from '@hub/dialects'
import { readReceipt } from '../../billing/calls/read-receipt.ts'
import type { PromptUsage } from '../../billing/open-hold.ts'
import type { App } from '../../core/app.ts'
import { answerInTime } from '../../core/timers.ts'
import * as receipts from '../../db/queries/receipts.ts'
import type { Attempt, CallContext } from '../context.ts'
import { fairPromptTokens, type UncountedPrompt } from './fair-prompt.ts'

export const formatOf = (
  { dialect }: Pick<CallContext, 'dialect'>,
  { translation }: Pick<Attempt, 'translation'>,
): string => (translation?.to ?? dialect).id

const promptOf = async (
  app: App,
  { parsed, target, caller, dialect }: CallContext,
  attempt: Attempt,
): Promise<UncountedPrompt> => {
  const continued = target.continues ? await tokensOf(app, target.continues.request_id) : 0
  return {
    parsed: { ...parsed, promptTokens: parsed.promptTokens + continued },
    format: formatOf({ dialect }, attempt),
    model: attempt.upstreamModel,
    userId: caller.userId,
    storedTokens: (target.storedTokens ?? 0) + continued,
  }
}

/** The prompt and the output of an earlier call, which the vendor reads again; 0 where it was not charged. */
const tokensOf = async (app: App, requestId: number): Promise<number> => {
  try {
    const row = await answerInTime(app, receipts.find(app.callDb, requestId))
    const receipt = row && readReceipt(row.late_usage ?? row.usage)
    return receipt ? inputTokens(receipt.usage) + outputTokens(receipt.usage) : 0
  } catch (error) {
    app.log.warn({ err: error, request: requestId }, 'an earlier response was not counted')
    return 0
  }
}

/** Never rejects. */
const countOf = async (
  app: App,
  context: CallContext,
  attempt: Attempt,
  options: { isExact: boolean },
): Promise<number> => fairPromptTokens(app, await promptOf(app, context, attempt), options)

/** The tokens of the call's prompt, by a tokenizer. */
export const countPromptOf = (app: App, context: CallContext, attempt: Attempt): Promise<number> =>
  countOf(app, context, attempt, { isExact: true })

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
    counted ??= countOf(app, context, attempt, { isExact: false })
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
