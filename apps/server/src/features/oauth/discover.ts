import type { App } from '../../core/app.ts'
import { discover } from '../../integrations/sign-in/oidc.ts'
import { providerFetch } from './network.ts'

/** Reads the configuration of an issuer for the form of a provider. */
export const discoverIssuer = async (app: App, issuer: string) => {
  const config = { issuer, clientId: 'none', clientSecret: 'none' }
  const found = await discover({ config, fetch: providerFetch(app) })
  const metadata = found.serverMetadata()
  return {
    issuer: metadata.issuer,
    authorization_endpoint: metadata.authorization_endpoint ?? '',
    token_endpoint: metadata.token_endpoint ?? '',
    userinfo_endpoint: metadata.userinfo_endpoint ?? '',
    scopes_supported: metadata.scopes_supported ?? [],
  }
}
