import { inputTokens, type Usage } from '@hub/dialects'
import type { App } from '../../core/app.ts'
import { appScoped } from '../../core/app-scoped.ts'
import { type Lru, makeLru } from '../../lib/lru.ts'
import type { Attempt, CallContext } from '../context.ts'
import { formatOf } from './prompt-of-call.ts'
import { hasFreshFigure, saveFigure } from './ratios.ts'
import { countInThread } from './thread.ts'

/** A model is looked at once in this time. */
const pauseMs = 60_000
const modelsMax = 2_000
/** Below this the tokens around messages weigh more than the text; above, counting costs more than it tells. */
const bytesMin = 600
const bytesMax = 128 * 1024
const textTokensMin = 100

/** When each model may be looked at again, in monotonic milliseconds. */
const pauses = appScoped((): Lru<string, number> => makeLru(modelsMax))

/** Now and then compares the vendor's count of a call with ours. Costs a call one look-up. */
export const samplePrompt = (
  app: App,
  context: CallContext,
  attempt: Attempt,
  reported: Usage,
): void => {
  const { upstreamModel: model } = attempt
  const now = app.monotonic()
  if (now < (pauses(app).get(model) ?? 0) || !isComparable(context)) return
  pauses(app).set(model, now + pauseMs)
  compare(app, context, attempt, reported).catch((error: unknown) =>
    app.log.warn({ err: error, model }, 'a prompt was not compared'),
  )
}

/** All that the vendor counted stands in the body, as text. */
const isComparable = ({ parsed, target }: CallContext): boolean => {
  const { body, pricing, mediaTokens = 0, hasVendorTools, hasMediaLinks, state } = parsed
  return (
    body.length >= bytesMin &&
    body.length <= bytesMax &&
    !(pricing || hasVendorTools || hasMediaLinks || target.continuation) &&
    mediaTokens === 0 &&
    !(state?.previousResponseId ?? state?.conversationId) &&
    (target.namedObjects?.length ?? 0) === 0
  )
}

const compare = async (
  app: App,
  { parsed, caller: { userId }, dialect }: CallContext,
  attempt: Attempt,
  reported: Usage,
): Promise<void> => {
  const { upstreamModel: model } = attempt
  if (await hasFreshFigure(app, model, userId)) return
  const format = formatOf({ dialect }, attempt)
  const counted = await countInThread(app, { body: parsed.body, format, model, isExact: true })
  if (counted.textTokens < textTokensMin || counted.mediaTokens > 0) return
  const ratio = (inputTokens(reported) - counted.otherTokens) / counted.textTokens
  await saveFigure(app, { model, userId, ratio })
}
