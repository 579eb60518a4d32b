import { Fault, type SettingKey, type SwitchKey } from '@hub/contract'
import { z } from 'zod'
import type { Integration } from '../../core/define-integration.ts'

export type ProviderRequest = {
  method?: 'GET' | 'POST'
  headers?: Record<string, string>
  body?: string
}

/** The configuration of one app at a provider, and the network. */
export type ProviderContext<C> = {
  config: C
  /**
   * Any status is an answer. No redirect is followed; the answer may have at most 1 MiB. Throws `oauth.unreachable`
   * without an answer, and `address.forbidden`.
   */
  fetch(url: string, request?: ProviderRequest): Promise<Response>
}

export type AuthorizationRequest = {
  state: string
  nonce: string
  /** Of PKCE (RFC 7636). Empty: the authorization began without it. */
  codeVerifier: string
  /** Empty: the authorization named none. */
  redirectUri: string
}

export type AuthorizationResponse = AuthorizationRequest & {
  code: string
  /** RFC 9207; empty if the provider sent none. */
  iss: string
}

/** The account that a provider has confirmed. */
export type ProviderAccount = {
  /** Gives out the subjects, if that depends on the configuration. Empty: the provider is its own authority. */
  authority: string
  /** Identifies the account forever, unlike its name. */
  subject: string
  /** The name that its owner recognises. */
  label: string
  username: string
  displayName: string
  /** Empty unless the provider says that it was verified. */
  verifiedEmail: string
  avatarUrl: string
}

/** A way to sign in by an account at a third party. All fields of `config` are text. */
export type SignInProvider<C extends z.ZodObject = z.ZodObject> = Integration<C> & {
  /** The pages of One Hub build the address of this provider themselves, with nothing of ours but the state. */
  acceptsPlainState: boolean
  /** The settings that switch it on and configure it. Absent: its configuration is a row of `oauth_providers`. */
  settings?: {
    enabled: SwitchKey
    fields: Readonly<Record<keyof z.output<C>, SettingKey>>
  }
  authorizationUrl(
    context: ProviderContext<z.output<C>>,
    request: AuthorizationRequest,
  ): Promise<string>
  /** Redeems the code. Throws `oauth.refused` if the provider does not confirm it completely. */
  redeem(
    context: ProviderContext<z.output<C>>,
    response: AuthorizationResponse,
  ): Promise<ProviderAccount>
}

/** Reads the JSON of an answer. Throws `oauth.refused` if it has another shape; its content is in no message. */
export const readJson = async <S extends z.ZodType>(
  response: Response,
  schema: S,
): Promise<z.output<S>> => {
  const json = await response.json().catch(() => undefined)
  const read = schema.safeParse(json)
  if (!response.ok || !read.success)
    throw new Fault('oauth.refused', { hint: `It answered ${response.status}.` })
  return read.data
}

/** Texts that a provider may leave out or send as null. */
export const OptionalText = z
  .string()
  .nullish()
  .transform(text => text ?? '')

export const urlWith = (address: string, query: Record<string, string>): string => {
  const url = new URL(address)
  for (const [key, value] of Object.entries(query)) if (value) url.searchParams.set(key, value)
  return url.href
}
