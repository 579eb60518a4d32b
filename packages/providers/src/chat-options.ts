import { systemPromptPositions } from '@hub/dialects'
import { z } from 'zod'
import { headerListProblem } from './header-names.ts'
import type { ChannelOptions } from './operation-translation.ts'
import { fieldListProblem } from './steering-fields.ts'

const attribution = z
  .object({
    claude_code: z
      .enum(['automatic', 'keep', 'drop'])
      .default('automatic')
      .meta({ label: "Claude Code's billing line" }),
  })
  .optional()

/**
 * Marks what Claude caches for callers whose dialect has no marks. Writing to the cache costs more than fresh input:
 * https://platform.claude.com/docs/en/build-with-claude/prompt-caching
 */
export const cachingOptions = {
  caching: z
    .object({
      automatic: z.boolean().default(false).meta({ label: 'Cache translated prompts' }),
    })
    .optional(),
}

export const cachesPrompts = ({ caching }: ChannelOptions): boolean => caching?.automatic === true

/** By what the gateway derives the key of a prompt cache for callers that gave none. */
const promptCacheKey = z
  .object({
    scope: z
      .enum(['automatic', 'session', 'user', 'off'])
      .default('automatic')
      .meta({ label: 'Key of the prompt cache' }),
  })
  .optional()

/** Names that are separated by commas. */
const names = (label: string, problemOf: (text: string) => string | undefined = () => undefined) =>
  z
    .string()
    .max(2_000)
    .superRefine((text, context) => {
      const problem = problemOf(text)
      if (problem !== undefined) context.addIssue(problem)
    })
    .default('')
    .meta({ label })

/** Objects of the account that every caller may name, such as a prompt template. */
const objects = names('Objects')
const objectOptions = { links: z.object({ objects }).optional() }
/** The policy for a field that changes the vendor's price where the model's price has no ratio for it. */
const priceFields = z
  .object({
    unpriced: z
      .enum(['refuse', 'allow', 'remove'])
      .default('refuse')
      .meta({ label: 'Fields with an unknown price' }),
  })
  .optional()

/** The option of a vendor that reads files from storage with the authority of the account. */
export const bucketOptions = {
  links: z.object({ buckets: names('Buckets'), objects }).optional(),
}

/** Reads `429: 503, 400: 500`. Undefined: it is not such a list. */
export const readStatusCodes = (text: string): ReadonlyMap<number, number> | undefined => {
  const codes = new Map<number, number>()
  for (const each of text.split(',').filter(part => part.trim() !== '')) {
    const [, from, to] = /^\s*([45]\d\d)\s*:\s*([45]\d\d)\s*$/.exec(each) ?? []
    if (from === undefined || codes.has(Number(from))) return undefined
    codes.set(Number(from), Number(to))
  }
  return codes
}

const statusCodes = z
  .string()
  .max(500)
  .refine(
    text => readStatusCodes(text) !== undefined,
    'must be pairs of statuses from 400 to 599, such as 429: 503, 400: 500',
  )
  .default('')
  .meta({ label: 'Statuses' })

/** Chooses what the gateway does when the vendor's list of models differs from the channel's. */
const watch = z
  .object({
    models: z
      .enum(['off', 'propose', 'apply'])
      .default('off')
      .meta({ label: 'New and vanished models' }),
    ignored: z.string().max(50_000).default('').meta({ label: 'Ignored models' }),
  })
  .optional()

/** Below this amount, in the vendor's currency, administrators are warned. */
const balance = z
  .object({
    warning: z.number().min(0).max(1e9).default(0).meta({ label: 'Warn below' }),
  })
  .optional()

/** How answers of the upstream are understood. */
const answers = { status_codes: statusCodes }
const chatAnswers = {
  ...answers,
  thoughts_as_text: z.boolean().default(false).meta({ label: 'Thoughts as text' }),
}

/** A prompt of the operator's in every chat of the channel. */
const systemPrompt = z
  .object({
    text: z.string().max(50_000).default('').meta({ label: 'System prompt', multiline: true }),
    position: z.enum(systemPromptPositions).default('before').meta({ label: 'Position' }),
  })
  .optional()

const passing = z
  .object({
    headers: names('Headers of callers', headerListProblem),
    fields: names('Steering fields of callers', fieldListProblem),
  })
  .optional()

/** The vendor's own options, and those of every channel that serves chat, or can be called at all. */
export const channelOptions = (
  own: z.ZodObject | undefined,
  {
    serves,
    tasks,
    modelListPath,
    balance: balanceQuery,
  }: {
    serves: { chat?: readonly { promptCacheKey?: unknown }[] }
    tasks?: unknown
    modelListPath?: unknown
    balance?: unknown
  },
): { options?: z.ZodObject } => {
  if (tasks === undefined && Object.keys(serves).length === 0) return own ? { options: own } : {}
  const shape = {
    ...own?.shape,
    ...(modelListPath === undefined ? {} : { watch }),
    ...(balanceQuery === undefined ? {} : { balance }),
  }
  if (!serves.chat) {
    const common = { passing, price_fields: priceFields, answers: z.object(answers).optional() }
    return { options: z.object({ ...shape, ...common }) }
  }
  return {
    options: z.object({
      ...objectOptions,
      ...shape,
      attribution,
      system_prompt: systemPrompt,
      answers: z.object(chatAnswers).optional(),
      ...(serves.chat.some(each => each.promptCacheKey)
        ? { prompt_cache_key: promptCacheKey }
        : {}),
      passing,
      price_fields: priceFields,
    }),
  }
}

/** The balance below which administrators are warned. 0: there is no such limit. */
export const balanceWarningOf = (options: ChannelOptions): number => {
  const warning = options.balance?.warning
  return typeof warning === 'number' ? warning : 0
}

/** The operator's choice of the scope of derived keys; absent: automatic. */
export const cacheKeyScope = (options: ChannelOptions): unknown => options.prompt_cache_key?.scope

/** The operator's choice about the line that a client sends to its vendor. */
export const attributionChoice = (options: ChannelOptions): unknown =>
  options.attribution?.claude_code
