import type { Insertable, Updateable } from 'kysely'
import type { Database } from '../index.ts'
import type { OAuthProvidersTable } from '../tables/sign-in.ts'
import { type Paging, selectPage } from './paging.ts'
import { changedOne, columnRefs } from './rows.ts'
import { matchesKeyword } from './text.ts'

export type OAuthProviderRow = NonNullable<Awaited<ReturnType<typeof find>>>

export const listAll = (db: Database) =>
  db.selectFrom('oauth_providers').selectAll().orderBy('name').orderBy('id').execute()

/** `keyword` is an id or the beginning of a name or slug. */
export const list = (
  db: Database,
  { keyword, ...paging }: Paging & { keyword?: string | undefined },
) => {
  const all = db.selectFrom('oauth_providers').selectAll()
  const columns = ['oauth_providers.name', 'oauth_providers.slug']
  const query = keyword ? all.where(matchesKeyword(keyword, columns, 'oauth_providers.id')) : all
  const sortable = ['name', 'slug', 'kind', 'enabled', 'created_time']
  return selectPage(db, query, paging, columnRefs('oauth_providers', ...sortable))
}

export const find = (db: Database, id: number) =>
  db.selectFrom('oauth_providers').selectAll().where('id', '=', id).executeTakeFirst()

/** Returns the id, or undefined if the slug is taken. */
export const insertIfFree = async (
  db: Database,
  row: Omit<Insertable<OAuthProvidersTable>, 'client_secret_sealed'>,
): Promise<number | undefined> =>
  (
    await db
      .insertInto('oauth_providers')
      .values({ ...row, client_secret_sealed: '' })
      .onConflict(conflict => conflict.column('slug').doNothing())
      .returning('id')
      .executeTakeFirst()
  )?.id

/** False: another provider has the slug. */
export const isSlugFree = async (db: Database, slug: string, exceptId: number) =>
  (await db
    .selectFrom('oauth_providers')
    .select('id')
    .where('slug', '=', slug)
    .where('id', '<>', exceptId)
    .executeTakeFirst()) === undefined

export const update = (db: Database, id: number, change: Updateable<OAuthProvidersTable>) =>
  changedOne(db.updateTable('oauth_providers').set(change).where('id', '=', id))

/** False: the row was deleted, or its secret or the addresses that receive it have changed since it was read. */
export const updateIfSame = (
  db: Database,
  { id, kind, issuer, token_endpoint, client_secret_sealed }: OAuthProviderRow,
  change: Updateable<OAuthProvidersTable>,
) =>
  changedOne(
    db
      .updateTable('oauth_providers')
      .set(change)
      .where('id', '=', id)
      .where('kind', '=', kind)
      .where('issuer', '=', issuer)
      .where('token_endpoint', '=', token_endpoint)
      .where('client_secret_sealed', '=', client_secret_sealed),
  )

export const remove = async (db: Database, id: number): Promise<boolean> => {
  const { numDeletedRows } = await db
    .deleteFrom('oauth_providers')
    .where('id', '=', id)
    .executeTakeFirst()
  return numDeletedRows === 1n
}
