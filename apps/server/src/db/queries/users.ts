import type { User } from '@hub/contract'
import type { Insertable, Updateable } from 'kysely'
import { sql } from 'kysely'
import { nameKey } from '../../lib/credentials/name-key.ts'
import type { Database } from '../index.ts'
import type { UsersTable } from '../tables/users.ts'
import { type Paging, selectPage } from './paging.ts'
import { changedOne, columnRefs } from './rows.ts'
import * as sessions from './sessions.ts'
import { matchesKeyword } from './text.ts'

const superAdministrator = 100

/** Users that are not deleted, with their account and the time of their second factor. */
const withAccount = (db: Database) =>
  db
    .selectFrom('users')
    .leftJoin('accounts', 'accounts.user_id', 'users.id')
    .leftJoin('second_factors', 'second_factors.user_id', 'users.id')
    .where('users.deleted_at', 'is', null)
    .selectAll('users')
    .select([
      'accounts.balance',
      'accounts.used',
      'accounts.requests',
      'second_factors.enabled_at as second_factor_at',
    ])
    .select(({ exists, selectFrom }) =>
      exists(selectFrom('passkeys').select('id').whereRef('passkeys.user_id', '=', 'users.id')).as(
        'has_passkey',
      ),
    )
    .select(({ selectFrom }) =>
      (['github', 'oidc', 'wechat', 'lark', 'telegram'] as const).map(signIn =>
        selectFrom('identities')
          .select('subject')
          .whereRef('identities.user_id', '=', 'users.id')
          .where('identities.sign_in', '=', signIn)
          .as(`${signIn}_id`),
      ),
    )

export type UserRow = NonNullable<Awaited<ReturnType<typeof find>>>

export const find = (db: Database, id: number) =>
  withAccount(db).where('users.id', '=', id).executeTakeFirst()

/** Deleted users too: their calls are still counted. */
export const listNames = (db: Database, ids: readonly number[]) =>
  db.selectFrom('users').select(['id', 'username as name']).where('id', 'in', ids).execute()

export const countCreated = async (
  db: Database,
  { begin, end }: { begin: number; end: number },
): Promise<number> => {
  const { count } = await db
    .selectFrom('users')
    .where('created_time', '>=', begin)
    .where('created_time', '<', end)
    .select(sql<number | string>`count(*)`.as('count'))
    .executeTakeFirstOrThrow()
  return Number(count)
}

export const findByUsername = (db: Database, username: string) =>
  withAccount(db).where('users.username', '=', username).executeTakeFirst()

export const findByEmail = (db: Database, email: string) =>
  withAccount(db).where('users.email', '=', email.toLowerCase()).executeTakeFirst()

export const findByAccessToken = (db: Database, hash: string) =>
  withAccount(db).where('users.access_token_hash', '=', hash).executeTakeFirst()

type UserFilter = {
  keyword?: string | undefined
  role?: number | undefined
  status?: number | undefined
  group?: string | undefined
}

/** `keyword` is an id or the beginning of a name, an e-mail address or a group. */
export const list = (
  db: Database,
  { keyword, role, status, group, ...paging }: Paging & UserFilter,
) => {
  const columns = ['users.username', 'users.email', 'users.display_name', 'users.group']
  const query = withAccount(db)
    .$if(!!keyword, rows => rows.where(matchesKeyword(keyword!, columns, 'users.id')))
    .$if(role !== undefined, rows => rows.where('users.role', '=', role!))
    .$if(status !== undefined, rows => rows.where('users.status', '=', status!))
    .$if(!!group, rows => rows.where('users.group', '=', group!))
  const sortable = [
    'username',
    'role',
    'status',
    'created_time',
    'last_login_time',
    'last_login_ip',
  ]
  return selectPage(db, query, paging, columnRefs('users', ...sortable))
}

/** True if a user, also a deleted one, has this text in any case and form as username, or as email address. */
export const isTaken = async (db: Database, text: string, exceptId = 0): Promise<boolean> => {
  const row = await db
    .selectFrom('users')
    .select('id')
    .where('id', '<>', exceptId)
    .where(where =>
      where.or([
        where('username', '=', text),
        where('username_key', '=', nameKey(text)),
        where('email', '=', text.toLowerCase()),
      ]),
    )
    .executeTakeFirst()
  return row !== undefined
}

type NewUser = Omit<Insertable<UsersTable>, 'username_key'>

export const insert = async (db: Database, user: NewUser): Promise<number> => {
  const { id } = await db
    .insertInto('users')
    .values(withNameKey(user))
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** Inserts an imported user, whose folded name may be null because another user has it. */
export const insertImported = async (
  db: Database,
  user: Insertable<UsersTable>,
): Promise<number> => {
  const { id } = await db.insertInto('users').values(user).returning('id').executeTakeFirstOrThrow()
  return id
}

/** Inserts the user, or returns undefined if the username was taken by a concurrent insert. */
export const insertIfFree = async (db: Database, user: NewUser): Promise<number | undefined> => {
  const row = await db
    .insertInto('users')
    .values(withNameKey(user))
    .onConflict(conflict => conflict.doNothing())
    .returning('id')
    .executeTakeFirst()
  return row?.id
}

const withNameKey = <T extends { username: string }>(user: T) => ({
  ...user,
  username_key: nameKey(user.username),
})

/** Holds back other changes of the user, and of what follows from the user's orders, until the end of the transaction. */
export const lock = async (tx: Database, id: number): Promise<void> => {
  await tx
    .updateTable('users')
    .set(({ ref }) => ({ status: ref('status') }))
    .where('id', '=', id)
    .execute()
}

type UserChange = Omit<Updateable<UsersTable>, 'username_key'>

export const update = async (db: Database, id: number, change: UserChange) => {
  if (Object.keys(change).length === 0) return
  const { username } = change
  await db
    .updateTable('users')
    .set({ ...change, ...(username !== undefined && withNameKey({ username })) })
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .execute()
}

/** Replaces the password and ends the access of everybody who knew the old one: sessions and access token. */
export const setPassword = async (
  db: Database,
  id: number,
  password_hash: string,
  { mustChange }: { mustChange: boolean },
): Promise<void> => {
  const must_change_password = mustChange ? 1 : 0
  await update(db, id, { password_hash, must_change_password, access_token_hash: null })
  await sessions.endAllOfUser(db, id)
}

/**
 * Gives the name free; what points to the row stays readable. False: the user is deleted already, or is the last super
 * administrator.
 */
export const remove = (db: Database, id: number, now: number, suffix: string) =>
  changedOne(
    db
      .updateTable('users')
      .set(eb => ({
        username: sql<string>`${eb.ref('username')} || ${`_del_${suffix}`}`,
        username_key: null,
        email: '',
        display_name: '',
        avatar_url: '',
        last_login_ip: '',
        password_hash: '',
        access_token_hash: null,
        status: 2,
        deleted_at: now,
      }))
      .where('id', '=', id)
      .where('deleted_at', 'is', null)
      .where(where =>
        where.or([
          where('role', '<>', superAdministrator),
          where.exists(
            where
              .selectFrom('users as other')
              .select('other.id')
              .where('other.role', '=', superAdministrator)
              .where('other.status', '=', 1)
              .where('other.deleted_at', 'is', null)
              .where('other.id', '<>', id),
          ),
        ]),
      ),
  )

/** The user's accounts at third parties are free to sign up again. */
export const removeIdentities = async (db: Database, id: number): Promise<void> => {
  await db.deleteFrom('identities').where('user_id', '=', id).execute()
}

/** The enabled user with this invite code. */
export const findByInviteCode = async (db: Database, code: string) =>
  db
    .selectFrom('users')
    .select(['id', 'username'])
    .where('aff_code', '=', code)
    .where('status', '=', 1)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()

/** Counts one more invited user. */
export const countInvited = async (db: Database, id: number): Promise<void> => {
  await db
    .updateTable('users')
    .set({ aff_count: sql<number>`coalesce(aff_count, 0) + 1` })
    .where('id', '=', id)
    .execute()
}

/** Counts a reward that an inviter got, or lost. */
export const addReward = async (db: Database, id: number, points: number): Promise<void> => {
  await db
    .updateTable('users')
    .set({ aff_quota: sql<number>`coalesce(aff_quota, 0) + ${points}` })
    .where('id', '=', id)
    .execute()
}

export const hasAny = async (db: Database): Promise<boolean> =>
  (await db.selectFrom('users').select('id').limit(1).executeTakeFirst()) !== undefined

/** Without the authority that may precede it. */
const idAtProvider = (subject: string | null): string =>
  subject === null ? '' : subject.slice(subject.indexOf(' ') + 1)

/** The user as the API returns it. Fields not listed here (password, access token) are never returned. */
export const asUser = (row: UserRow): User => ({
  id: row.id,
  username: row.username,
  display_name: row.display_name,
  role: row.role as User['role'],
  status: row.status as User['status'],
  email: row.email,
  avatar_url: row.avatar_url,
  group: row.group,
  quota: row.balance ?? 0,
  used_quota: row.used ?? 0,
  request_count: row.requests ?? 0,
  aff_code: row.aff_code,
  aff_count: row.aff_count ?? 0,
  aff_quota: row.aff_quota ?? 0,
  aff_history_quota: row.aff_quota ?? 0,
  inviter_id: row.inviter_id,
  github_id: idAtProvider(row.github_id),
  oidc_id: idAtProvider(row.oidc_id),
  wechat_id: idAtProvider(row.wechat_id),
  lark_id: idAtProvider(row.lark_id),
  telegram_id: Number(row.telegram_id ?? 0),
  created_time: row.created_time,
  last_login_time: row.last_login_time,
  last_login_ip: row.last_login_ip,
  must_change_password: row.must_change_password === 1,
  has_access_token: row.access_token_hash !== null,
  has_password: row.password_hash !== '',
  has_second_factor: row.second_factor_at !== null,
  has_passkey: Boolean(row.has_passkey),
})
