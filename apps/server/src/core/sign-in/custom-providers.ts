import type { OAuthProviderRow } from '../../db/queries/oauth-providers.ts'
import * as rows from '../../db/queries/oauth-providers.ts'
import type { App } from '../app.ts'
import { cachedQuery } from '../app-scoped.ts'

/** Providers of sign-ins that an operator added, in the order of their names. */
export const customProviderRows = cachedQuery<readonly OAuthProviderRow[]>(
  ['oauth-providers'],
  app => rows.listAll(app.db),
)

/** The `sign_in` of identities at the provider. It outlives a change of the slug. */
export const customSignIn = (id: number): string => `custom:${id}`

const sealContext = (id: number) => `oauth_providers.client_secret_sealed:${id}`

export const sealClientSecret = (app: App, id: number, secret: string): string =>
  app.seal.seal('oauth-provider', sealContext(id), secret)

export const openClientSecret = (
  app: App,
  { id, client_secret_sealed }: Pick<OAuthProviderRow, 'id' | 'client_secret_sealed'>,
): string => app.seal.open('oauth-provider', sealContext(id), client_secret_sealed)
