import { type Insertable, type Selectable, sql, type Updateable } from 'kysely'
import type { Database } from '../index.ts'
import type { InvitationsTable } from '../tables/invitations.ts'
import { type Paging, selectPage } from './paging.ts'
import { changedOne, columnRefs } from './rows.ts'

export type InvitationRow = Selectable<InvitationsTable>
type InvitationState = InvitationRow['state']

export const insert = async (db: Database, row: Insertable<InvitationsTable>): Promise<void> => {
  await db.insertInto('invitations').values(row).execute()
}

export const find = (db: Database, userId: number) =>
  db.selectFrom('invitations').selectAll().where('user_id', '=', userId).executeTakeFirst()

/** Moves an invitation that is in one of the states. Of parallel attempts one gets true. */
export const move = (
  tx: Database,
  userId: number,
  from: readonly InvitationState[],
  change: Updateable<InvitationsTable>,
) =>
  changedOne(
    tx
      .updateTable('invitations')
      .set(change)
      .where('user_id', '=', userId)
      .where('state', 'in', [...from]),
  )

/** Notes the first top-up of an invited user. */
export const markFunded = async (tx: Database, userId: number, now: number): Promise<void> => {
  await tx
    .updateTable('invitations')
    .set({ funded_at: now })
    .where('user_id', '=', userId)
    .where('funded_at', 'is', null)
    .execute()
}

/** The address is personal data of a user who goes. */
export const forgetAddress = async (tx: Database, userId: number): Promise<void> => {
  await tx.updateTable('invitations').set({ address: '' }).where('user_id', '=', userId).execute()
}

/** Waiting invitations whose user has topped up and called, after an id. */
export const listFunded = (db: Database, afterId: number, limit: number) =>
  db
    .selectFrom('invitations')
    .innerJoin('accounts', 'accounts.user_id', 'invitations.user_id')
    .select(['invitations.user_id', 'accounts.balance'])
    .where('state', '=', 'waiting')
    .where('funded_at', 'is not', null)
    .where('accounts.used', '>', 0)
    .where('invitations.user_id', '>', afterId)
    .orderBy('invitations.user_id')
    .limit(limit)
    .execute()

export const countWaiting = async (db: Database, inviterId: number): Promise<number> => {
  const { count } = await db
    .selectFrom('invitations')
    .select(sql<number | string>`count(*)`.as('count'))
    .where('inviter_id', '=', inviterId)
    .where('state', '=', 'waiting')
    .executeTakeFirstOrThrow()
  return Number(count)
}

type Filter = Paging & {
  state?: InvitationState | undefined
  inviter_id?: number | undefined
  address?: string | undefined
}

const listed = (db: Database) =>
  db
    .selectFrom('invitations')
    .leftJoin('users as invited', 'invited.id', 'invitations.user_id')
    .leftJoin('users as inviter', 'inviter.id', 'invitations.inviter_id')
    .selectAll('invitations')
    .select(['invited.username as username', 'inviter.username as inviter_username'])

export type ListedInvitation = NonNullable<Awaited<ReturnType<typeof findListed>>>

export const findListed = (db: Database, userId: number) =>
  listed(db).where('invitations.user_id', '=', userId).executeTakeFirst()

export const list = (db: Database, filter: Filter) => {
  const { state, inviter_id, address } = filter
  const query = listed(db)
    .$if(!!state, rows => rows.where('invitations.state', '=', state!))
    .$if(!!inviter_id, rows => rows.where('invitations.inviter_id', '=', inviter_id!))
    .$if(!!address, rows => rows.where('invitations.address', '=', address!))
  const names = ['user_id', 'inviter_id', 'address', 'state', 'created_at']
  const columns = { ...columnRefs('invitations', ...names), id: sql.ref('invitations.user_id') }
  return selectPage(db, query, filter, columns)
}

/** Counts one more within the cap. False, and nothing changed, if the cap is reached. */
export const take = async (
  tx: Database,
  { scope, day, max }: { scope: string; day: number; max: number },
): Promise<boolean> => {
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('invitation_counts')
    .values({ scope, day, used: 1 })
    .onConflict(conflict =>
      conflict
        .columns(['scope', 'day'])
        .doUpdateSet({ used: sql<number>`invitation_counts.used + 1` })
        .where('invitation_counts.used', '<', max),
    )
    .executeTakeFirst()
  return numInsertedOrUpdatedRows === 1n
}

/** Takes a count back, in the transaction that made it. */
export const giveBack = async (tx: Database, scope: string, day: number): Promise<void> => {
  await tx
    .updateTable('invitation_counts')
    .set({ used: sql<number>`used - 1` })
    .where('scope', '=', scope)
    .where('day', '=', day)
    .execute()
}

export const removeCountsBefore = async (db: Database, day: number): Promise<void> => {
  await db.deleteFrom('invitation_counts').where('day', '<', day).execute()
}
