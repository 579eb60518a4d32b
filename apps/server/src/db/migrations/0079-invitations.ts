import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'
import type { SchemaKit, Table } from '../engines/schema-kit.ts'
import type { Tables } from '../tables/index.ts'

const tables: Table[] = [
  {
    name: 'invitations',
    columns: {
      user_id: 'key',
      inviter_id: 'integer',
      address: 'text',
      created_at: 'integer',
      state: 'text',
      reason: 'text',
      gift: 'integer',
      gift_given: 'integer',
      reward: 'integer',
      reward_given: 'integer',
      moves: 'integer',
      funded_at: 'integer?',
      decided_at: 'integer?',
      decided_by: 'text',
    },
    checks: [
      "state in ('waiting', 'given', 'withheld')",
      'reward_given >= 0',
      'reward_given <= reward',
      'gift_given <= gift',
    ],
  },
  {
    name: 'invitation_counts',
    columns: { scope: 'text', day: 'integer', used: 'integer' },
    primaryKey: ['scope', 'day'],
    checks: ['used >= 0'],
  },
]

const indexes = [
  `create index "invitations_inviter" on "invitations" ("inviter_id")`,
  `create index "invitations_state" on "invitations" ("state", "user_id")`,
]

/** Rewards of invitations so far were given at once. */
const earlier = `insert into invitations (user_id, inviter_id, address, created_at, state, reason, gift,
    gift_given, reward, reward_given, moves, decided_by)
  select u.id, u.inviter_id, '', u.created_time, 'given', '', coalesce(g.amount, 0), coalesce(g.amount, 0),
    coalesce(r.amount, 0), coalesce(r.amount, 0), case when r.id is null then 0 else 1 end, ''
  from users u
  left join transfers g on g.kind = 'invitee' and g.source = 'user:' || cast(u.id as text)
  left join transfers r on r.kind = 'inviter' and r.source = 'user:' || cast(u.id as text)
  where u.inviter_id > 0`

/**
 * Invitations with their gifts, and counters of their caps. A site that rewards inviters goes on to do so at once, until
 * somebody chooses another time.
 */
export const invitations = (schema: SchemaKit): Migration => ({
  up: async (db: Kysely<Tables>) => {
    for (const table of tables)
      for (const statement of schema.createTable(table)) await statement.execute(db)
    for (const statement of [...indexes, earlier]) await sql.raw(statement).execute(db)
    const reward = await db
      .selectFrom('options')
      .select('value')
      .where('key', '=', 'QuotaForInviter')
      .executeTakeFirst()
    if (!(Number(reward?.value) > 0)) return
    await db
      .insertInto('options')
      .values({ key: 'InviterRewardTime', value: 'at_once' })
      .onConflict(conflict => conflict.column('key').doNothing())
      .execute()
  },
})
