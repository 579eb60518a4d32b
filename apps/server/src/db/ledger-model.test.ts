import fc from 'fast-check'
import { expect, it } from 'vitest'
import { insertAccount, insertToken, ledgerOf } from '../../test/ledger/fixtures.ts'
import { ledgerModel } from '../../test/ledger/model.ts'
import { describeStores } from '../../test/stores.ts'
import type { Store } from './index.ts'

type Step =
  | { do: 'hold'; user: number; token: number; amount: number }
  | { do: 'settle'; which: number; cost: number }
  | { do: 'lost'; user: number; token: number; cost: number }
  | { do: 'checkpoint'; which: number; accrued: number; want: number }
  | { do: 'giveBack' | 'recover'; which: number }
  | { do: 'freeze'; user: number; frozen: boolean }
  | { do: 'enable'; user: number; token: number; enabled: boolean }

const user = fc.nat(2)
const of = fc.nat(1)
const which = fc.nat(1_000_000)
const amount = fc.oneof(fc.nat(40), fc.nat(400))
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({ do: fc.constant('hold' as const), user, token: of, amount }),
  },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('settle' as const), which, cost: amount }) },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('lost' as const), user, token: of, cost: amount }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('checkpoint' as const),
      which,
      accrued: amount,
      want: amount,
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constantFrom('giveBack' as const, 'recover' as const), which }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('freeze' as const), user, frozen: fc.boolean() }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('enable' as const),
      user,
      token: of,
      enabled: fc.boolean(),
    }),
  },
)

const stepsPerRun = 200
const runs = 12

/** Three users with two tokens each, new for every run, in the store and in the model. */
const makeWorld = async (store: Store, first: number) => {
  const model = ledgerModel()
  for (const userId of [first, first + 1, first + 2]) {
    await insertAccount(store.db, userId, 1000)
    model.accounts.set(userId, { balance: 1000, held: 0, used: 0, requests: 0, frozen: false })
    for (const [tokenId, cap] of [
      [userId * 10, null],
      [userId * 10 + 1, 600],
    ] as const) {
      await insertToken(store.db, tokenId, userId, { cap })
      model.tokens.set(tokenId, { userId, enabled: true, cap, used: 0, held: 0 })
    }
  }
  return model
}

const stateOf = async ({ db }: Store, first: number) => {
  const accounts = await db
    .selectFrom('accounts')
    .selectAll()
    .where('user_id', '>=', first)
    .where('user_id', '<', first + 3)
    .orderBy('user_id')
    .execute()
  const tokens = await db
    .selectFrom('token_spend')
    .selectAll()
    .where('user_id', '>=', first)
    .where('user_id', '<', first + 3)
    .orderBy('token_id')
    .execute()
  const holds = await db
    .selectFrom('holds')
    .selectAll()
    .where('user_id', '>=', first)
    .where('user_id', '<', first + 3)
    .orderBy('id')
    .execute()
  return { accounts, tokens, holds }
}

describeStores('the ledger and its model', stores => {
  let first = -2
  it('agree on every outcome and every row of sequential operations', async () => {
    const store = await stores.open()
    const run = async (steps: Step[]) => {
      first += 3
      const model = await makeWorld(store, first)
      const ids: { id: number; userId: number; tokenId: number }[] = []
      for (const each of steps) await agree(store, model, ids, first, each)
      const state = await stateOf(store, first)
      const accounts = [...model.accounts.values()]
      expect(
        state.accounts.map(({ user_id, frozen_by_debt: _, ...row }) => ({
          ...row,
          frozen: row.frozen === 1,
        })),
      ).toEqual(accounts)
      expect(state.tokens.map(({ cap, used, held }) => ({ cap, used, held }))).toEqual(
        [...model.tokens.values()].map(({ cap, used, held }) => ({ cap, used, held })),
      )
      expect(state.holds.map(({ id, amount, accrued }) => ({ id, amount, accrued }))).toEqual(
        [...model.holds].map(([id, { amount, accrued }]) => ({ id, amount, accrued })),
      )
    }
    const steps = fc.array(step, { minLength: stepsPerRun, maxLength: stepsPerRun })
    await fc.assert(fc.asyncProperty(steps, run), { numRuns: runs, endOnFailure: true })
  })

  it('conserve every point under concurrency', async () => {
    const store = await stores.open()
    const run = async (seeds: number[]) => {
      first += 3
      await makeWorld(store, first)
      const charged = await Promise.all(seeds.map(seed => call(store, first, seed)))
      const { accounts, tokens, holds } = await stateOf(store, first)
      expect(holds).toEqual([])
      const sums = new Map<number, { used: number; requests: number }>()
      for (const { userId, amount: paid, n } of charged) {
        const sum = sums.get(userId) ?? { used: 0, requests: 0 }
        sums.set(userId, { used: sum.used + paid, requests: sum.requests + n })
      }
      for (const row of accounts) {
        const { used, requests } = sums.get(row.user_id) ?? { used: 0, requests: 0 }
        expect(row).toMatchObject({ used, requests, held: 0, balance: 1000 - used })
        expect(row.balance).toBeGreaterThanOrEqual(0)
        const spent = tokens.filter(each => each.user_id === row.user_id)
        expect(spent.reduce((sum, each) => sum + each.used, 0)).toBe(used)
        expect(spent.every(each => each.held === 0)).toBe(true)
      }
    }
    const seeds = fc.array(fc.nat(), { minLength: 250, maxLength: 250 })
    await fc.assert(fc.asyncProperty(seeds, run), { numRuns: 4, endOnFailure: true })
  })
})

type Known = { id: number; userId: number; tokenId: number }

const agree = async (
  store: Store,
  model: ReturnType<typeof ledgerModel>,
  ids: Known[],
  first: number,
  each: Step,
) => {
  if (each.do === 'freeze') {
    const userId = first + each.user
    model.accounts.get(userId)!.frozen = each.frozen
    const frozen = each.frozen ? 1 : 0
    await store.db.updateTable('accounts').set({ frozen }).where('user_id', '=', userId).execute()
    return
  }
  if (each.do === 'enable') {
    const tokenId = (first + each.user) * 10 + each.token
    model.tokens.get(tokenId)!.enabled = each.enabled
    const status = each.enabled ? 1 : 2
    await store.db
      .updateTable('token_spend')
      .set({ status })
      .where('token_id', '=', tokenId)
      .execute()
    return
  }
  if (each.do === 'hold' || each.do === 'lost') {
    const userId = first + each.user
    const tokenId = userId * 10 + each.token
    const { hold, settle } = ledgerOf(store, userId, tokenId)
    const id = store.ledger.nextId()
    ids.push({ id, userId, tokenId })
    if (each.do === 'lost') {
      const expected = model.settle(id, userId, tokenId, each.cost)
      return expect(await settle(id, each.cost)).toEqual(expected)
    }
    const expected = model.hold(id, { userId, tokenId }, each.amount, null)
    return expect((await hold(each.amount, { id })).outcome).toEqual(expected)
  }
  const known = ids[each.which % ids.length]
  if (!known) return
  const { id, userId, tokenId } = known
  const verbs = ledgerOf(store, userId, tokenId)
  if (each.do === 'settle') {
    const expected = model.settle(id, userId, tokenId, each.cost)
    expect(await verbs.settle(id, each.cost)).toEqual(expected)
  } else if (each.do === 'checkpoint') {
    const expected = model.checkpoint(id, each.accrued, each.want)
    expect(await verbs.checkpoint(id, each.accrued, each.want)).toEqual(expected)
  } else {
    const expected = model[each.do](id)
    expect(await verbs[each.do](id)).toEqual(expected)
  }
}

/** Runs one call from admission to its end, chosen by the seed. Returns its charge. */
const call = async (store: Store, first: number, seed: number) => {
  const userId = first + (seed % 3)
  const tokenId = userId * 10 + ((seed >> 2) % 2)
  const { hold, checkpoint, settle, giveBack } = ledgerOf(store, userId, tokenId)
  const { id, outcome } = await hold(1 + ((seed >> 3) % 40))
  if (!outcome.ok) return { userId, amount: 0, n: 0 }
  if (seed & 64) await checkpoint(id, 1, (seed >> 7) % 30)
  if (seed % 5 === 0) {
    await giveBack(id)
    return { userId, amount: 0, n: 0 }
  }
  const cost = (seed >> 5) % 60
  const [settled] = await Promise.all([settle(id, cost), settle(id, cost), giveBack(id)])
  return { userId, amount: settled.charged, n: 1 }
}
