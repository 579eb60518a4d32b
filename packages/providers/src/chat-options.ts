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
  { serves, tasks }: { serves: { chat?: unknown }; tasks?: unknown },
): { options?: z.ZodObject } => {
  if (tasks === undefined && Object.keys(serves).length === 0) return own ? { options: own } : {}
  const shape = own?.shape ?? {}
  if (!serves.chat) return { options: z.object({ ...shape, passing, price_fields: priceFields }) }
  return {
    options: z.object({
      ...objectOptions,
      ...shape,
      attribution,
      system_prompt: systemPrompt,
      passing,
      price_fields: priceFields,
    }),
  }
}

/** The operator's choice about the line that a client sends to its vendor. */
export const attributionChoice = (options: ChannelOptions): unknown =>
  options.attribution?.claude_code
