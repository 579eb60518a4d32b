import { beforeAll, expect, it } from 'vitest'
import { onBothEngines, type TestApp, type TestUser } from '../../../test/harness.ts'
import { watchCredentials } from '../../../test/sign-in/credential-changes.ts'
import * as accounts from '../../db/queries/accounts.ts'

let hub: TestApp
const remove = (user: TestUser, proof: object = { current_password: user.password }) =>
  user.delete('/api/user/self', proof)

/** Tables whose rows let a person in, or send messages to that person. */
const waysIn = [
  'sessions',
  'passkeys',
  'identities',
  'second_factors',
  'backup_codes',
  'notification_targets',
] as const

/** A row in each of these tables; a test user has a session already. */
const insertWaysIn = async (user_id: number) => {
  const { db } = hub.app
  await db
    .insertInto('passkeys')
    .values({
      user_id,
      credential_id: `credential-${user_id}`,
      public_key: 'key',
      counter: 0,
      transports: '[]',
      backed_up: 0,
      name: 'Key',
      created_time: 1,
      last_used_time: 1,
    })
    .execute()
  await db
    .insertInto('identities')
    .values({ user_id, sign_in: 'github', subject: `subject-${user_id}`, label: '' })
    .execute()
  await db
    .insertInto('second_factors')
    .values({ user_id, secret_sealed: '', last_step: 0, enabled_at: null })
    .execute()
  await db
    .insertInto('backup_codes')
    .values({ user_id, code_hash: `hash-${user_id}` })
    .execute()
  await watchCredentials(hub, user_id)
}

onBothEngines('deleting the own account', open => {
  beforeAll(async () => {
    hub = await open()
  })

  it('S21 deleting the own account needs the current password', async () => {
    const user = await hub.person()
    expect((await remove(user, {})).body.code).toBe('password.wrong')
    expect((await remove(user, { current_password: 'guessed-one' })).body.code).toBe(
      'password.wrong',
    )
    expect((await user.get('/api/user/self')).status).toBe(200)
  })

  it('S18 ends every way in, frees the name, and takes personal data out of the row', async () => {
    const user = await hub.person(1, { email: 'gone@hub.example', display_name: 'Ada Gone' })
    const other = hub.guest()
    await other.signIn(user.username, user.password)
    const proof = { current_password: user.password }
    const token = (await user.post('/api/user/token', proof)).body.data
    expect((await remove(user)).status).toBe(200)
    const script = hub.guest({ headers: { authorization: token } })
    for (const client of [user, other, script])
      expect((await client.get('/api/user/self')).status).toBe(401)
    const again = await hub.guest().signIn(user.username, user.password)
    expect(again.body.code).toBe('sign_in.refused')
    const row = await hub.app.db
      .selectFrom('users')
      .selectAll()
      .where('id', '=', user.id)
      .executeTakeFirstOrThrow()
    expect(row.username).toMatch(new RegExp(`^${user.username}_del_`))
    expect(JSON.stringify(row)).not.toMatch(/gone@hub|Ada Gone/)
    const next = await hub.root.post('/api/user/', {
      username: user.username,
      password: 'for-the-next-one',
      email: 'gone@hub.example',
    })
    expect(next.status).toBe(200)
  })

  it('S18 passkeys, bound accounts, second factors and targets of a deleted account are gone', async () => {
    const [user, other] = [await hub.person(), await hub.person()]
    for (const { id } of [user, other]) await insertWaysIn(id)
    await remove(user)
    for (const table of waysIn) {
      const owners = await hub.app.db.selectFrom(table).select('user_id').execute()
      const count = (id: number) => owners.filter(each => each.user_id === id).length
      expect([table, count(user.id)]).toEqual([table, 0])
      expect([table, count(other.id) > 0]).toEqual([table, true])
    }
  })

  it('the account stays in the ledger, and starts no more calls', async () => {
    const user = await hub.person(1, { quota: 1_000 })
    await remove(user)
    const account = await accounts.find(hub.app.db, user.id)
    expect(account).toMatchObject({ balance: 1_000, held: 0, frozen: 1 })
  })

  it('the last super administrator cannot delete the account, a second one can', async () => {
    const root = hub.guest()
    await root.signIn('root', hub.rootPassword)
    const proof = { current_password: hub.rootPassword }
    expect((await root.delete('/api/user/self', proof)).body.code).toBe('user.last_root')
    expect((await root.get('/api/user/self')).status).toBe(200)
    const second = await hub.person(10)
    await hub.app.db.updateTable('users').set({ role: 100 }).where('id', '=', second.id).execute()
    expect((await remove(second)).status).toBe(200)
  })
})
