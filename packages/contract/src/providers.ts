import { z } from 'zod'
import { get, Nothing, resource } from './resource.ts'

export const Provider = z.object({
  /** One Hub's channel-type number. */
  type: z.number(),
  id: z.string(),
  name: z.string(),
  base_url: z.string(),
  links: z.object({
    site: z.string().optional(),
    keys: z.string().optional(),
    docs: z.string().optional(),
  }),
  /** How the key is written, for the help under the field. */
  key_hint: z.string(),
  /** What it can be asked for; empty: known, but not usable yet. */
  operations: z.array(z.string()),
  dialects: z.array(z.string()),
  models: z.array(z.string()).meta({ description: 'Filled into a new channel.' }),
  test_model: z.string(),
  can_list_models: z.boolean(),
  /** It can be asked what is left of an account. */
  can_tell_balance: z.boolean(),
  /** JSON Schema of the extras a channel of this type may have; the console draws it. */
  options: z.record(z.string(), z.unknown()),
})
export type Provider = z.output<typeof Provider>

export const providers = resource('/api/providers', {
  list: get('/', {
    access: 'admin',
    input: Nothing,
    reply: z.array(Provider),
    summary: 'Every channel type, with its form',
  }),
})
