import {
  countPrompt,
  encodingOf,
  type PromptCount,
  type Tokenizer,
} from '@hub/dialects/prompt-count'
import { serveRequests } from '../../lib/runtime/worker-thread.ts'
import type { CountTask } from './thread.ts'

/** Text that names a token of the model's own notation is text like any other. */
const options = { disallowedSpecial: new Set<string>() }

/** The vocabularies take 60 MB each, so each is loaded when it is first needed. */
const vocabularies = {
  o200k: async (): Promise<Tokenizer> => {
    const { countTokens } = await import('gpt-tokenizer/encoding/o200k_base')
    return text => countTokens(text, options)
  },
  cl100k: async (): Promise<Tokenizer> => {
    const { countTokens } = await import('gpt-tokenizer/encoding/cl100k_base')
    return text => countTokens(text, options)
  },
}

const count = async ({ body, format, model, isExact }: CountTask): Promise<PromptCount> =>
  countPrompt(
    body,
    { format, model },
    isExact ? await vocabularies[encodingOf(model)]() : undefined,
  )

serveRequests(count, error => (error instanceof Error ? error.stack : String(error)))
