import type { Migration } from 'kysely/migration'

/** The default of earlier releases, from which a used site built every link. */
const earlierDefault = 'http://localhost:3000'
const switches = [
  'GitHubOAuthEnabled',
  'LarkAuthEnabled',
  'OIDCAuthEnabled',
  'TelegramBotEnabled',
  'MjNotifyEnabled',
  'PasswordResetEnabled',
]

/**
 * A site continues with all that it used: links to choose a new password are a switch since, and the address has no
 * default any more. A site that used nothing of it starts without both.
 */
export const siteAddress: Migration = {
  up: async db => {
    if (await exists(db, 'options', { key: 'SMTPServer' }, { value: '' }))
      await writeFirst(db, 'PasswordResetEnabled', 'true')
    if (await isAddressUsed(db)) await writeFirst(db, 'ServerAddress', earlierDefault)
  },
}

/** Its tables are not typed: a migration knows those of its time only. */
type MigratedDatabase = Parameters<Migration['up']>[0]
type Conditions = Record<string, string | number>

const isAddressUsed = async (db: MigratedDatabase): Promise<boolean> => {
  for (const key of switches) if (await exists(db, 'options', { key, value: 'true' })) return true
  return (
    (await exists(db, 'payment_gateways', { enable: 1, notify_domain: '' })) ||
    (await exists(db, 'oauth_providers', { enabled: 1 })) ||
    (await exists(db, 'passkeys', {}))
  )
}

/** True if a row has all these values, and none of the others. */
const exists = async (
  db: MigratedDatabase,
  table: string,
  values: Conditions,
  others: Conditions = {},
): Promise<boolean> => {
  let rows = db.selectFrom(table).select(({ lit }) => lit(1).as('found'))
  for (const [column, value] of Object.entries(values)) rows = rows.where(column, '=', value)
  for (const [column, value] of Object.entries(others)) rows = rows.where(column, '<>', value)
  return (await rows.limit(1).executeTakeFirst()) !== undefined
}

const writeFirst = async (db: MigratedDatabase, key: string, value: string): Promise<void> => {
  await db
    .insertInto('options')
    .values({ key, value })
    .onConflict(conflict => conflict.column('key').doNothing())
    .execute()
}
