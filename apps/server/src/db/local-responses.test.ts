import { expect, it } from 'vitest'
import { describeStores } from '../../test/stores.ts'
import type { Store } from './index.ts'
import * as localResponses from './queries/local-responses.ts'
import * as users from './queries/users.ts'
import * as vendorResponses from './queries/vendor-responses.ts'

let requests = 0
const answer = (
  id: string,
  more: Partial<localResponses.LocalResponseRow> = {},
): localResponses.LocalResponseRow => ({
  id,
  user_id: 1,
  request_id: ++requests,
  created_at: 90,
  size: 10,
  previous: null,
  content_sealed: `sealed ${id}`,
  ...more,
})
const vendorResponse = (id: string) => ({
  id,
  user_id: 1,
  channel_id: 4,
  credential: 'fingerprint',
  request_id: 5,
  created_at: 90,
})
const idsIn = async ({ db }: Store) =>
  (await db.selectFrom('stored_answers').select('id').orderBy('id').execute()).map(({ id }) => id)
const addAll = async ({ db }: Store, answers: localResponses.LocalResponseRow[]) => {
  for (const each of answers) await localResponses.add(db, each)
}

describeStores('local responses', stores => {
  it('is found by the lookup of vendor responses, and its id is unique across both', async () => {
    const store = await stores.open()
    await localResponses.add(store.db, answer('ours'))
    await vendorResponses.add(store.db, vendorResponse('theirs'))
    expect(await vendorResponses.find(store.db, 'ours')).toMatchObject({ size: 10, channel_id: 0 })
    expect(await vendorResponses.find(store.db, 'theirs')).toMatchObject({
      size: null,
      channel_id: 4,
    })
    await vendorResponses.add(store.db, vendorResponse('ours'))
    expect(await vendorResponses.find(store.db, 'ours')).toMatchObject({ size: 10 })
    await expect(localResponses.add(store.db, answer('theirs'))).rejects.toThrow()
  })

  it('is listed with its predecessors, newest first, for its owner, down to a deleted one', async () => {
    const store = await stores.open()
    await addAll(store, [
      answer('a'),
      answer('b', { previous: 'a' }),
      answer('c', { previous: 'b' }),
      answer('d', { previous: 'b' }),
      answer('strange', { user_id: 2, previous: 'c' }),
    ])
    const chain = (id: string, userId = 1, lengthMax = 9) =>
      localResponses.listConversation(store.db, userId, id, lengthMax)
    const ids = async (...args: Parameters<typeof chain>) =>
      (await chain(...args)).map(each => each.id)
    expect(await ids('c')).toEqual(['c', 'b', 'a'])
    expect(await ids('d')).toEqual(['d', 'b', 'a'])
    expect(await ids('c', 2)).toEqual([])
    expect(await ids('strange', 2)).toEqual(['strange'])
    expect(await chain('c', 1, 2)).toEqual([
      { id: 'c', previous: 'b', size: 10 },
      { id: 'b', previous: 'a', size: 10 },
    ])
    await vendorResponses.remove(store.db, 'a')
    expect((await chain('c')).at(-1)).toMatchObject({ id: 'b', previous: 'a' })
    const contents = await localResponses.findContents(store.db, 1, ['c', 'b', 'a', 'strange'])
    expect([...contents].toSorted()).toEqual([
      ['b', 'sealed b'],
      ['c', 'sealed c'],
    ])
  })

  it('evicts the oldest responses of that user only, and no vendor responses', async () => {
    const store = await stores.open()
    await vendorResponses.add(store.db, vendorResponse('pin'))
    await addAll(store, [
      answer('new', { created_at: 93 }),
      answer('old', { created_at: 91 }),
      answer('middle', { created_at: 92 }),
      answer('oldest', { created_at: 91, request_id: 0 }),
      answer('other', { user_id: 2, created_at: 1 }),
    ])
    expect(await localResponses.removeOldestBeyond(store.db, 1, 40)).toBe(0)
    expect(await localResponses.removeOldestBeyond(store.db, 1, 39)).toBe(1)
    expect(await idsIn(store)).toEqual(['middle', 'new', 'old', 'other', 'pin'])
    expect(await localResponses.removeOldestBeyond(store.db, 1, 15)).toBe(2)
    expect(await idsIn(store)).toEqual(['new', 'other', 'pin'])
    expect(await localResponses.removeOldestBeyond(store.db, 3, 15)).toBe(0)
  })

  it('is deleted when it is old, independently of vendor responses', async () => {
    const store = await stores.open()
    for (let at = 0; at < 51; at += 1) await localResponses.add(store.db, answer(`old_${at}`))
    await localResponses.add(store.db, answer('young', { created_at: 91 }))
    await vendorResponses.add(store.db, vendorResponse('pin'))
    expect(await vendorResponses.removeBefore(store.db, 1_000)).toBe(1)
    expect(await localResponses.removeBefore(store.db, 91)).toBe(51)
    expect(await idsIn(store)).toEqual(['young'])
  })

  it('is deleted with its user, also if its call ended later', async () => {
    const store = await stores.open()
    const userId = await users.insert(store.db, person)
    const mine = { user_id: userId, created_at: 1_000 }
    await addAll(store, [answer('mine', mine), answer('other', { user_id: 99, created_at: 1_000 })])
    await localResponses.removeOfUser(store.db, userId)
    expect(await idsIn(store)).toEqual(['other'])
    await users.remove(store.db, userId, 5, 'gone')
    await localResponses.add(store.db, answer('late', mine))
    expect(await localResponses.removeBefore(store.db, 0)).toBe(1)
    expect(await idsIn(store)).toEqual(['other'])
  })

  it('ends once where it is made in the background, and changes no more after it', async () => {
    const store = await stores.open()
    await addAll(store, [answer('made', { is_running: 1 }), answer('stored')])
    const content = (id: string, text: string) => ({ id, size: 20, content_sealed: text })
    const running = async () => [
      ...(await localResponses.listRunning(store.db, ['made', 'stored'])),
    ]
    expect(await running()).toEqual(['made'])
    expect(await localResponses.updateRunning(store.db, content('stored', 'x'))).toBe(false)
    expect(await localResponses.updateRunning(store.db, content('made', 'saved'))).toBe(true)
    expect(await running()).toEqual(['made'])
    expect(await localResponses.endRunning(store.db, 'made')).toBe(true)
    expect(await running()).toEqual([])
    expect(await localResponses.updateRunning(store.db, content('made', 'late'))).toBe(false)
    expect(await localResponses.endRunning(store.db, 'made', content('made', 'failed'))).toBe(false)
    const contents = await localResponses.findContents(store.db, 1, ['made', 'stored'])
    expect(Object.fromEntries(contents)).toEqual({ made: 'saved', stored: 'sealed stored' })
  })
})

const person = {
  username: 'leaver',
  password_hash: '',
  display_name: '',
  role: 1,
  status: 1,
  email: '',
  avatar_url: '',
  group: 'default',
  aff_code: 'leaver',
  inviter_id: 0,
  created_time: 1,
  last_login_time: 0,
  last_login_ip: '',
  access_token_hash: null,
  must_change_password: 0,
  deleted_at: null,
}
