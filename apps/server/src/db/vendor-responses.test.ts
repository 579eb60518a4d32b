import { expect, it } from 'vitest'
import { insertAccount, insertToken } from '../../test/ledger/fixtures.ts'
import { describeStores } from '../../test/stores.ts'
import type { Store } from './index.ts'
import { recoverEpoch } from './ledger/recover.ts'
import * as background from './queries/background-calls.ts'
import * as vendorResponses from './queries/vendor-responses.ts'

const row = (request_id: number, more: object = {}) => ({
  request_id,
  answer_id: `resp_${request_id}`,
  user_id: 1,
  token_id: 1,
  channel_id: 4,
  credential: 'fingerprint',
  price_id: 1,
  receipt_draft: '{}',
  attempts: 0,
  run_at: 100,
  created_at: 90,
  ...more,
})
const answer = (id: string, created_at = 90) => ({
  id,
  user_id: 1,
  channel_id: 4,
  credential: 'fingerprint',
  request_id: 5,
  created_at,
})

const people = async ({ db }: Store) => {
  for (const id of [1, 2]) {
    await insertAccount(db, id, 1_000)
    await insertToken(db, id, id)
  }
}

describeStores('vendor responses', stores => {
  const settle = (store: Store, id: number, userId: number, ids: string[]) =>
    store.ledger.submit({
      kind: 'settle',
      id,
      userId,
      tokenId: userId,
      channelId: 4,
      charge: 3,
      priceId: 1,
      usage: '{}',
      at: 90,
      ...(ids.length > 0 ? { stored: { ids, credential: `print ${userId}` } } : {}),
      log: null,
    })

  it('is recorded with the charge, and belongs to its first owner', async () => {
    const store = await stores.open()
    await people(store)
    const ids = Array.from({ length: 4 }, () => store.ledger.nextId())
    // Batches with and without it, and several of them in one.
    await Promise.all([
      settle(store, ids[0]!, 1, ['resp_a', 'conv_a']),
      settle(store, ids[1]!, 2, []),
      settle(store, ids[2]!, 2, ['resp_b']),
    ])
    await settle(store, ids[3]!, 2, ['resp_a'])
    await settle(store, ids[0]!, 1, ['resp_a', 'conv_a'])
    expect(await vendorResponses.find(store.db, 'resp_a')).toEqual({
      id: 'resp_a',
      user_id: 1,
      channel_id: 4,
      credential: 'print 1',
      request_id: ids[0],
      created_at: 90,
      size: null,
      is_running: null,
    })
    expect(await vendorResponses.find(store.db, 'conv_a')).toMatchObject({ user_id: 1 })
    expect(await vendorResponses.find(store.db, 'resp_b')).toMatchObject({ user_id: 2 })
    const all = await store.db.selectFrom('stored_answers').select('id').execute()
    expect(all).toHaveLength(3)
  })

  it('is deleted when it is old, in any number', async () => {
    const store = await stores.open()
    for (let at = 0; at < 501; at += 1) await vendorResponses.add(store.db, answer(`old_${at}`))
    await vendorResponses.add(store.db, answer('young', 91))
    expect(await vendorResponses.removeBefore(store.db, 91)).toBe(501)
    expect(await vendorResponses.find(store.db, 'young')).toBeDefined()
    await vendorResponses.remove(store.db, 'young')
    expect(await vendorResponses.find(store.db, 'young')).toBeUndefined()
  })

  it('a background call is leased by one node at a time, and again after the death of that node', async () => {
    const store = await stores.open()
    await background.add(store.db, row(1))
    await background.add(store.db, row(2, { answer_id: 'resp_1' }))
    expect(await background.isDue(store.db, 99)).toBe(false)
    const takers = Array.from({ length: 8 }, () => background.lease(store.db, 100, 160))
    const taken = (await Promise.all(takers)).filter(each => each !== undefined)
    expect(taken.map(each => [each.request_id, each.attempts])).toEqual([[1, 1]])
    expect(await background.lease(store.db, 159, 300)).toBeUndefined()
    const second = await background.lease(store.db, 160, 300)
    expect(second?.attempts).toBe(2)
    // The first one was slow, and has nothing to say any more.
    await background.putBack(store.db, taken[0]!, 161)
    expect(await background.isDue(store.db, 299)).toBe(false)
    await background.putBack(store.db, second!, 170)
    expect(await background.isDue(store.db, 170)).toBe(true)
    await background.remove(store.db, 1)
    expect(await background.findByAnswer(store.db, 'resp_1')).toBeUndefined()
  })

  it('the hold of a background call survives its process, and another process settles it', async () => {
    const store = await stores.open()
    await people(store)
    const { epoch } = store.ledger
    const [kept, lost] = [store.ledger.nextId(), store.ledger.nextId()]
    const hold = { kind: 'hold', userId: 1, tokenId: 1, amount: 50, priceId: 1, at: 90 } as const
    for (const id of [kept, lost]) await store.ledger.submit({ ...hold, id })
    await background.add(store.db, row(kept))
    const held = async () =>
      (await store.db.selectFrom('holds').select('id').execute()).map(each => each.id)
    expect(await recoverEpoch(store.db, store.ledger, epoch)).toBe(1)
    expect(await held()).toEqual([kept])
    // Its epoch has ended: another epoch settles it.
    await settle(store, kept, 1, [])
    expect(store.ledger.epoch).toBeGreaterThan(epoch)
    expect(await held()).toEqual([])
    const posted = await store.db
      .selectFrom('transfers')
      .select(['id', 'amount'])
      .where('kind', '=', 'request')
      .execute()
    expect(posted).toEqual([{ id: kept, amount: 3 }])
  })
})
