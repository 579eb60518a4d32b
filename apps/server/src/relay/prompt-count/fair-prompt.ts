import type { ParsedRequest } from '@hub/dialects'
import { guessTokens } from '@hub/dialects/prompt-count'
import type { App } from '../../core/app.ts'
import { ratioOf } from './ratios.ts'
import { countInThread } from './thread.ts'

/** A prompt whose vendor did not count it. */
export type UncountedPrompt = {
  parsed: Pick<ParsedRequest, 'body' | 'promptTokens' | 'mediaTokens'>
  /** The format of the endpoint, by whose rules messages, tools and pictures count. */
  format: string
  /** The model's name at the vendor. */
  model: string
  userId: number
  /** Tokens of stored prompts, which are not in the body. */
  storedTokens?: number | undefined
}

/**
 * The tokens of a prompt as its vendor would most likely have counted them; never more than what was held. Never
 * rejects: where it cannot be counted, the cautious number is divided by what it usually is too high.
 */
export const fairPromptTokens = async (
  app: App,
  { parsed, format, model, userId, storedTokens = 0 }: UncountedPrompt,
  { isExact }: { isExact: boolean },
): Promise<number> => {
  if (parsed.promptTokens === 0) return 0
  try {
    const [counted, ratio] = await Promise.all([
      countInThread(app, { body: parsed.body, format, model, isExact }),
      ratioOf(app, model, userId),
    ])
    const tokens = Math.round(counted.textTokens * ratio + counted.otherTokens) + storedTokens
    return Math.min(parsed.promptTokens, tokens)
  } catch (error) {
    app.log.warn({ err: error, model }, 'a prompt was not counted')
    return guessTokens(parsed)
  }
}
