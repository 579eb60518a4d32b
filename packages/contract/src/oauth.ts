import { z } from 'zod'
import { get, NoData, NoInput, post, resource } from './resource.ts'
import { FreshProof } from './second-factor.ts'
import { SignInResult } from './sign-in.ts'
import { weChatEndpoints } from './wechat.ts'

/** `github`, `oidc`, `lark`, or the slug of a provider that the super administrator added. */
const ProviderId = z.string().regex(/^[a-z\d][a-z\d-]{0,39}$/)

/** An account of the user at a third party. */
export const Identity = z.object({
  type: z.string(),
  /** The name of the provider. */
  name: z.string(),
  /** The name of the account there; its id if it has none. Empty: the user has no account there. */
  label: z.string(),
  bound: z.boolean(),
  /** The provider is switched on. */
  enabled: z.boolean(),
})
export type Identity = z.output<typeof Identity>

const authorizationUrl = z.string().meta({ description: 'The address to which the browser goes.' })

export const oauth = resource('/api', {
  state: get('/oauth/state', {
    access: 'public',
    input: NoInput,
    response: z.string(),
    limit: 'starts',
    summary:
      'A state for one sign-in by GitHub or Lark in this browser, within ten minutes; see also `/api/oauth/endpoint`',
  }),
  endpoint: get('/oauth/endpoint', {
    access: 'public',
    input: z.object({ provider: ProviderId.default('oidc') }),
    response: authorizationUrl,
    limit: 'starts',
    summary: 'The address at which a sign-in by a provider begins, with PKCE where it has it',
  }),
  identities: get('/oauth/identities', {
    access: 'user',
    input: NoInput,
    response: z.array(Identity),
    summary: 'The providers of the site and the accounts that the user has bound',
  }),
  bind: post('/oauth/bind', {
    access: 'user',
    input: FreshProof.extend({ type: ProviderId }),
    response: authorizationUrl,
    limit: 'starts',
    audit: true,
    summary: 'Begins to bind an account at a provider; within ten minutes the callback ends it',
  }),
  ...weChatEndpoints,
  callback: get('/oauth/:provider', {
    access: 'optional',
    input: z.object({
      provider: ProviderId,
      code: z.string().min(1).max(4096).meta({ secret: true }),
      state: z.string().max(200).default('').meta({ secret: true }),
      /** The issuer, if the provider names it in its answer (RFC 9207). */
      iss: z.string().max(500).default(''),
      /** The code of the inviter, for a new account. An unknown code is ignored. */
      aff: z.string().trim().max(64).default(''),
    }),
    response: z.object({
      success: z.literal(true),
      /** `bind`: the account was bound to the signed-in user. */
      message: z.enum(['', 'bind']),
      data: SignInResult.nullable(),
    }),
    envelope: false,
    limit: 'failures',
    audit: true,
    summary: 'Ends a sign-in or a binding with the answer of the provider; each state works once',
  }),
  discover: post('/custom-oauth-provider/discovery', {
    access: 'root',
    input: z.object({ issuer: z.url({ protocol: /^https?$/ }).max(500) }),
    response: z.object({
      issuer: z.string(),
      authorization_endpoint: z.string(),
      token_endpoint: z.string(),
      userinfo_endpoint: z.string(),
      scopes_supported: z.array(z.string()),
    }),
    audit: false,
    summary: 'Reads the configuration of an issuer, as a sign-in will',
  }),
  unbind: post('/user/unbind', {
    access: 'user',
    input: FreshProof.extend({ type: ProviderId }),
    response: NoData,
    audit: true,
    summary: 'Removes a bound account, unless it is the last way to sign in',
  }),
})
