import type { Database } from '../index.ts'

/** The tables with an enabled row that vendors or people reach at the address of the site. */
export const listAddressUsers = async (db: Database): Promise<string[]> => {
  const gateway = await db
    .selectFrom('payment_gateways')
    .select('id')
    .where('enable', '=', 1)
    .where('notify_domain', '=', '')
    .where('deleted_at', 'is', null)
    .limit(1)
    .executeTakeFirst()
  const provider = await db
    .selectFrom('oauth_providers')
    .select('id')
    .where('enabled', '=', 1)
    .limit(1)
    .executeTakeFirst()
  return [...(gateway ? ['payment_gateways'] : []), ...(provider ? ['oauth_providers'] : [])]
}
