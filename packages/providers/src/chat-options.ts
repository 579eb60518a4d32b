import { z } from 'zod'

const attribution = z
  .object({
    claude_code: z
      .enum(['automatic', 'keep', 'drop'])
      .default('automatic')
      .meta({ label: "Claude Code's billing line" }),
  })
  .optional()

/** The option of a vendor that reads files from storage with the authority of the account. */
export const bucketOptions = {
  links: z
    .object({ buckets: z.string().max(2_000).default('').meta({ label: 'Buckets' }) })
    .optional(),
}

/** The vendor's own options, and those of every channel that serves chat. */
export const withChatOptions = (own: z.ZodObject = z.object({})): z.ZodObject =>
  own.extend({ attribution })
