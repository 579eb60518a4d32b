import { z } from 'zod'
import { get, NoInput, resource } from './resource.ts'

/** A kind of vendor for which a channel can be created; One Hub calls it a channel type. */
export const Provider = z.object({
  /** One Hub's channel-type number. */
  type: z.number(),
  id: z.string(),
  name: z.string(),
  base_url: z.string(),
  /** Suggestions for the address of a channel. */
  address_presets: z.array(z.object({ name: z.string(), base_url: z.string() })),
  links: z.object({
    site: z.string().optional(),
    keys: z.string().optional(),
    docs: z.string().optional(),
  }),
  /** The format of the key, for the help text of the field. */
  key_hint: z.string(),
  /** Supported operations, such as `chat`. Empty: the console shows the provider, but the gateway cannot call it. */
  operations: z.array(z.string()),
  dialects: z.array(z.string()),
  models: z.array(z.string()).meta({ description: 'The default model list of a new channel.' }),
  test_model: z.string(),
  can_list_models: z.boolean(),
  /** The balance of an account can be queried. */
  can_tell_balance: z.boolean(),
  /** The meaning of the channel's free field; empty: the type has none, and a value is refused. */
  free_field: z.enum([
    '',
    'api_version',
    'path_version',
    'model_version',
    'region',
    'region_and_project',
  ]),
  /** JSON Schema of the extra options of a channel. The console renders it as a form. */
  options: z.record(z.string(), z.unknown()),
})
export type Provider = z.output<typeof Provider>

export const providers = resource('/api/providers', {
  list: get('/', {
    access: 'admin',
    input: NoInput,
    response: z.array(Provider),
    summary: 'Every channel type, with its form',
  }),
})
