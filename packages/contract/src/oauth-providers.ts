import { z } from 'zod'
import { crud, Id, ListQuery, orderQuery, patchOf, resource } from './resource.ts'

/** Names of pages and endpoints next to the callbacks of providers. */
const reservedSlugs = [
  ...['github', 'oidc', 'lark', 'wechat', 'telegram', 'email', 'linuxdo'],
  ...['state', 'endpoint', 'identities', 'bind', 'unbind', 'passkey'],
]

const Address = z.union([z.literal(''), z.url({ protocol: /^https?$/ }).max(500)]).default('')
/** Names of nested fields are joined by a period: `data.user.id`. */
const Field = z
  .string()
  .trim()
  .max(100)
  .regex(/^[\w.-]*$/, 'must be names joined by periods')

const fields = {
  name: z.string().trim().min(1).max(50),
  slug: z
    .string()
    .regex(/^[a-z\d][a-z\d-]{0,39}$/, 'must be lower-case letters, digits and hyphens')
    .refine(slug => !reservedSlugs.includes(slug), 'is reserved'),
  kind: z.enum(['oidc', 'oauth2']).default('oidc'),
  enabled: z.boolean().default(true),
  client_id: z.string().trim().min(1).max(200),
  /** Of OpenID Connect: the endpoints are found below it. */
  issuer: Address,
  /** Of OAuth 2.0 without OpenID Connect. */
  authorization_endpoint: Address,
  token_endpoint: Address,
  userinfo_endpoint: Address,
  scopes: z.string().trim().max(500).default('openid profile email'),
  /** Fields of the user information. The id identifies the account forever. */
  subject_field: Field.min(1).default('sub'),
  username_field: Field.default('preferred_username'),
  name_field: Field.default('name'),
  email_field: Field.default('email'),
  /** An address is used only if this field is true. Empty: no address is used. */
  email_verified_field: Field.default('email_verified'),
}

export const OAuthProvider = z.object({
  id: z.number(),
  ...fields,
  has_client_secret: z.boolean(),
  created_time: z.number(),
})
export type OAuthProvider = z.output<typeof OAuthProvider>

const ClientSecret = z.string().min(1).max(500).meta({ secret: true })
export const NewOAuthProvider = z.object({ ...fields, client_secret: ClientSecret })
export const OAuthProviderPatch = Id.extend({
  ...patchOf(NewOAuthProvider.omit({ client_secret: true })).shape,
  /** Absent or empty: unchanged. */
  client_secret: z.union([z.literal(''), ClientSecret]).optional(),
})

export const oauthProviders = resource(
  '/api/custom-oauth-provider',
  crud(
    'root',
    {
      row: OAuthProvider,
      list: ListQuery.extend({
        order: orderQuery('id', 'name', 'slug', 'kind', 'enabled', 'created_time'),
      }),
      create: NewOAuthProvider,
      created: OAuthProvider,
      update: OAuthProviderPatch,
    },
    {
      list: 'Providers of sign-ins that were added; secrets are only marked as set',
      get: 'One provider',
      create: 'Adds a provider; its callback is the page `/oauth/<slug>`',
      update: 'Changes a provider',
      remove: 'Deletes a provider and the bindings of users to it',
    },
    { ignored: ['has_client_secret', 'created_time'] },
  ),
)
