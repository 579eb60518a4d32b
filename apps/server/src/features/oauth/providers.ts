import { Fault } from '@hub/contract'
import type { App } from '../../core/app.ts'
import { isInEffect, settingText } from '../../core/secrets/setting-secrets.ts'
import {
  customProviderRows,
  customSignIn,
  openClientSecret,
} from '../../core/sign-in/custom-providers.ts'
import type { OAuthProviderRow } from '../../db/queries/oauth-providers.ts'
import { customProviders, signInProviders } from '../../integrations/sign-in/index.ts'
import type { SignInProvider } from '../../integrations/sign-in/sign-in-provider.ts'
import { providerFetch } from './network.ts'

/** A provider with its configuration. */
export type ConfiguredProvider = {
  /** Part of the addresses of its callback. */
  id: string
  /** The provider's name in the table of identities. */
  signIn: string
  name: string
  provider: SignInProvider
  context: Parameters<SignInProvider['redeem']>[0]
}

/** Throws `oauth.disabled` unless the provider exists, is switched on and is configured completely. */
export const getProvider = async (app: App, id: string): Promise<ConfiguredProvider> => {
  const builtIn = signInProviders.find(each => each.id === id)
  if (builtIn) return configured(app, builtIn, configOf(app, builtIn), { id, signIn: id })
  const row = (await customProviderRows(app).get()).find(each => each.slug === id)
  if (row?.enabled !== 1) throw new Fault('oauth.disabled')
  const custom = row.kind === 'oauth2' ? customProviders.oauth2 : customProviders.oidc
  const ids = { id, signIn: customSignIn(row.id), name: row.name }
  return configured(app, custom, customConfig(app, row), ids)
}

const configured = (
  app: App,
  provider: SignInProvider,
  config: unknown,
  { id, signIn, name = provider.name }: { id: string; signIn: string; name?: string },
): ConfiguredProvider => {
  const read = provider.config.safeParse(config)
  if (!read.success) throw new Fault('oauth.disabled')
  return { id, signIn, name, provider, context: { config: read.data, fetch: providerFetch(app) } }
}

const configOf = (app: App, { settings }: SignInProvider) =>
  settings &&
  isInEffect(app, settings.enabled) &&
  Object.fromEntries(
    Object.entries(settings.fields).map(([field, key]) => [field, settingText(app, key)]),
  )

const customConfig = (app: App, row: OAuthProviderRow) => ({
  clientId: row.client_id,
  clientSecret: openClientSecret(app, row),
  issuer: row.issuer,
  authorizationEndpoint: row.authorization_endpoint,
  tokenEndpoint: row.token_endpoint,
  userinfoEndpoint: row.userinfo_endpoint,
  scopes: row.scopes,
  subjectField: row.subject_field,
  usernameField: row.username_field,
  nameField: row.name_field,
  emailField: row.email_field,
  emailVerifiedField: row.email_verified_field,
})
