import {
  contract,
  Fault,
  type NewOAuthProvider,
  type OAuthProvider,
  type OAuthProviderPatch,
} from '@hub/contract'
import type { z } from 'zod'
import { type App, nowSeconds } from '../../core/app.ts'
import { changeAndNotify, definedOnly, mapPage, required, requireMatch } from '../../core/crud.ts'
import { implement } from '../../core/implement.ts'
import { customSignIn, sealClientSecret } from '../../core/sign-in/custom-providers.ts'
import { requireReachableSite } from '../../core/site/address.ts'
import * as identities from '../../db/queries/identities.ts'
import * as rows from '../../db/queries/oauth-providers.ts'

const topic = 'oauth-providers'
type ProviderFields = Omit<z.output<typeof NewOAuthProvider>, 'client_secret'>

export const oauthProviders = implement(contract['oauth-providers'], {
  list: (app, _caller, input) => mapPage(rows.list(app.db, input), toProvider),
  get: async (app, _caller, { id }) => toProvider(required(await rows.find(app.db, id))),
  create: async (app, _caller, { client_secret, enabled, ...fields }) => {
    requireAddresses(fields)
    if (enabled) requireReachableSite(app)
    const id = await changeAndNotify(app, topic, async tx => {
      const row = { ...fields, enabled: enabled ? 1 : 0, created_time: nowSeconds(app) }
      const made = await rows.insertIfFree(tx, row)
      if (made === undefined) throw new Fault('resource.exists')
      const client_secret_sealed = sealClientSecret(app, made, client_secret)
      await rows.update(tx, made, { client_secret_sealed })
      return made
    })
    return toProvider(required(await rows.find(app.db, id)))
  },
  update: async (app, _caller, change) => {
    await updateProvider(app, change)
    return toProvider(required(await rows.find(app.db, change.id)))
  },
  remove: (app: App, _caller, { id }) =>
    changeAndNotify(app, topic, async tx => {
      // Ids may be used again, so that no identity of the old provider may be left.
      await identities.removeAll(tx, customSignIn(id))
      return requireMatch(rows.remove(tx, id))
    }),
})

const updateProvider = async (
  app: App,
  change: z.output<typeof OAuthProviderPatch>,
): Promise<void> => {
  const { id, client_secret, enabled, ...fields } = change
  const row = required(await rows.find(app.db, id))
  const before = toProvider(row)
  const after = { ...before, ...definedOnly(fields) }
  requireAddresses(after)
  if (enabled && !before.enabled) requireReachableSite(app)
  if (!client_secret && destinationOf(before) !== destinationOf(after))
    throw new Fault('oauth.secret_needed', { hint: '`client_secret`: enter it again.' })
  const isUpdated = await changeAndNotify(app, topic, async tx => {
    if (fields.slug !== undefined && !(await rows.isSlugFree(tx, fields.slug, id)))
      throw new Fault('resource.exists')
    return rows.updateIfSame(tx, row, {
      ...definedOnly(fields),
      enabled: (enabled ?? before.enabled) ? 1 : 0,
      ...(client_secret && { client_secret_sealed: sealClientSecret(app, id, client_secret) }),
    })
  })
  // The check above is void if another change was faster.
  if (!isUpdated) await updateProvider(app, change)
}

/** The address that decides where the client secret is sent. */
const destinationOf = ({ kind, issuer, token_endpoint }: OAuthProvider): string =>
  `${kind} ${kind === 'oidc' ? issuer : token_endpoint}`

const toProvider = ({ client_secret_sealed, ...row }: rows.OAuthProviderRow): OAuthProvider => ({
  ...row,
  kind: row.kind as OAuthProvider['kind'],
  enabled: row.enabled === 1,
  has_client_secret: client_secret_sealed !== '',
})

const addressesOf = {
  oidc: ['issuer'],
  oauth2: ['authorization_endpoint', 'token_endpoint', 'userinfo_endpoint'],
} as const

const requireAddresses = (
  fields: Pick<ProviderFields, 'kind' | (typeof addressesOf)[ProviderFields['kind']][number]>,
) => {
  const missing = addressesOf[fields.kind].filter(each => fields[each] === '')
  if (missing.length === 0) return
  const clauses = missing.map(each => `\`${each}\`: is required`)
  throw new Fault('request.invalid', { hint: `${clauses.join('; ')}.` })
}
