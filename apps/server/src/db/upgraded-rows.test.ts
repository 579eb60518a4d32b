import type { Kysely } from 'kysely'
import { expect, it } from 'vitest'
import { makeOldDatabase } from '../../test/migrated.ts'
import { describeStores, type TestStores } from '../../test/stores.ts'
import type { Tables } from './tables/index.ts'

type Fill = (db: Kysely<Tables>) => Promise<unknown>

/** Opens a database of an earlier release with this one. */
const upgrade = async (
  stores: TestStores,
  release: string,
  fill: Fill,
): Promise<Kysely<Tables>> => {
  const location = await stores.emptyLocation()
  await makeOldDatabase(location, release, async db => void (await fill(db)))
  return (await stores.open(location)).db
}

const option =
  (key: string, value: string): Fill =>
  db =>
    db.insertInto('options').values({ key, value }).execute()

const optionIn = async (db: Kysely<Tables>, key: string): Promise<string | undefined> =>
  (await db.selectFrom('options').select('value').where('key', '=', key).executeTakeFirst())?.value

const user = (id: number, inviter_id: number, created_time: number) => ({
  ...{ id, inviter_id, created_time, username: `u${id}`, password_hash: '', display_name: '' },
  ...{ role: 1, status: 1, email: '', avatar_url: '', group: 'default', aff_code: `u${id}` },
  ...{ last_login_time: 0, last_login_ip: '', must_change_password: 0 },
})

const grant = (id: number, kind: string, invited: number, amount: number) => ({
  ...{ id, kind, amount, at: 5, source: `user:${invited}`, debit: -2, credit: 1 },
  ...{ token_id: 0, channel_id: 0, price_id: 0, usage: '' },
})

/** Alice invited three: one with gift and reward, one with a gift only, one with nothing. */
const fillInvited: Fill = async db => {
  const users = [user(1, 0, 1), user(2, 1, 20), user(3, 1, 30), user(4, 1, 40)]
  await db
    .insertInto('users')
    .values(users as never)
    .execute()
  const grants = [
    grant(101, 'invitee', 2, 500),
    grant(102, 'inviter', 2, 900),
    grant(103, 'invitee', 3, 400),
    // A grant of another kind with the same source is none of an invitation.
    grant(104, 'grant', 4, 77),
  ]
  await db.insertInto('transfers').values(grants).execute()
}

describeStores('rows of earlier releases', stores => {
  it('earlier invitations are those that were given, with what was posted for them', async () => {
    const db = await upgrade(stores, '0078-promotions', fillInvited)
    const rows = await db.selectFrom('invitations').selectAll().orderBy('user_id').execute()
    const given = {
      ...{ inviter_id: 1, address: '', state: 'given', reason: '', decided_by: '' },
      ...{ funded_at: null, decided_at: null },
    }
    const amounts = (gift: number, reward: number) => ({
      ...{ gift, gift_given: gift, reward, reward_given: reward, moves: reward > 0 ? 1 : 0 },
    })
    expect(rows).toEqual([
      { ...given, ...amounts(500, 900), user_id: 2, created_at: 20 },
      { ...given, ...amounts(400, 0), user_id: 3, created_at: 30 },
      { ...given, ...amounts(0, 0), user_id: 4, created_at: 40 },
    ])
  })

  it.each([
    ['rewarded inviters', ['QuotaForInviter', '900'], 'at_once'],
    ['rewarded nobody', ['QuotaForInviter', '0'], undefined],
    ['never set a reward', ['QuotaForInvitee', '900'], undefined],
  ] as const)('a site that %s goes on as before', async (_, [key, value], time) => {
    const db = await upgrade(stores, '0078-promotions', option(key, value))
    expect(await optionIn(db, 'InviterRewardTime')).toBe(time)
  })

  it.each([
    ['3', '3000'],
    ['0', '0'],
    ['2000000', '1000000000'],
    // A value that no release accepted becomes the default.
    ['', undefined],
    ['1.5', undefined],
  ] as const)(
    'an allowance of "%s" abandoned calls a minute becomes %s points',
    async (calls, points) => {
      const release = '0075-prompt-ratios'
      const db = await upgrade(stores, release, option('AbandonedCallsPerMinute', calls))
      expect(await optionIn(db, 'AbandonedCallsPerMinute')).toBeUndefined()
      expect(await optionIn(db, 'AbandonedPointsPerMinute')).toBe(points)
    },
  )

  it('a site without the earlier allowance has none of the new one', async () => {
    const db = await upgrade(stores, '0075-prompt-ratios', async () => {})
    expect(await optionIn(db, 'AbandonedPointsPerMinute')).toBeUndefined()
  })

  it('the history of balances begins with the stored ones of channels that exist', async () => {
    const channel = (id: number, columns: object) => ({
      ...{ id, type: 28, name: `c${id}`, key_sealed: '', key_hash: '', key_count: 1, status: 1 },
      ...{ status_reason: '', weight: 1, priority: 0, base_url: '', other: '', models: 'm' },
      ...{ group: 'default', tag: '', model_mapping: '', model_headers: '', proxy: '' },
      ...{ custom_parameter: '', test_model: '', only_chat: 0, pre_cost: 1, plugin: '' },
      ...{ compatible_response: 0, allow_extra_body: 0, disabled_stream: '[]', created_time: 1 },
      ...{ test_time: 0, test_error: '', test_kind: 'call', response_time: 0, deleted_at: null },
      ...{ balance: 0, balance_currency: '', balance_updated_time: 0, version: null, ...columns },
    })
    const read = { balance_currency: 'CNY', balance_updated_time: 77 }
    const db = await upgrade(stores, '0092-costs', old =>
      old
        .insertInto('channels')
        .values([
          channel(1, { ...read, balance: 12.5 }),
          channel(2, { ...read, balance: 1e-7 }),
          channel(3, { ...read, balance: -0.25 }),
          channel(4, {}),
          channel(5, { ...read, balance: 9, deleted_at: 80 }),
        ] as never)
        .execute(),
    )
    const rows = await db.selectFrom('channel_balances').selectAll().orderBy('channel_id').execute()
    const row = { at: 77, currency: 'CNY', kind: '' }
    expect(rows).toEqual([
      { channel_id: 1, amount: '12.5', ...row },
      { channel_id: 2, amount: '0.0000001', ...row },
      { channel_id: 3, amount: '-0.25', ...row },
    ])
  })
})
