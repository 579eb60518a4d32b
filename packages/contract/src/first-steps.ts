import { z } from 'zod'

const Step = z.object({ done: z.boolean() })

/** The steps from an empty installation to its first answered call. `done` means that a call gets past this step. */
export const FirstSteps = z.object({
  address: Step,
  channel: Step.extend({
    /**
     * Empty: nothing. `none`: there is no channel. `disabled`, `unusable`: none serves. `group`: no key of the caller may use the
     * groups of the channels. `unpriced`: none of their models can be charged.
     */
    missing: z.enum(['', 'none', 'disabled', 'unusable', 'group', 'unpriced']),
    /** A channel to be changed; 0: none. */
    channel_id: z.number(),
    channel_name: z.string(),
    /** Models of serving channels that have no price, at most 20 of them. */
    unpriced: z.array(z.string()),
    unpriced_count: z.number(),
  }),
  /** A key of the caller. */
  key: Step.extend({
    /** `models`: the key allows no model that can be called. `balance`: the caller has no points. */
    missing: z.enum(['', 'none', 'disabled', 'expired', 'exhausted', 'group', 'models', 'balance']),
    token_id: z.number(),
    token_name: z.string(),
  }),
  /** A call of anyone. */
  call: Step.extend({
    missing: z.enum(['', 'none', 'failed']),
    /** The latest failed call, and the fault code of its answer. */
    log_id: z.number(),
    code: z.string(),
  }),
})
export type FirstSteps = z.output<typeof FirstSteps>
