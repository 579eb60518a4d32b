import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { Fault } from '@hub/contract'
import { post } from '../../src/billing/ledger.ts'
import type { App } from '../../src/core/app.ts'
import type { Database, Store } from '../../src/db/index.ts'
import { systemAccounts, type UnboundedHold } from '../../src/db/operations.ts'
import { setFrozen } from '../../src/db/queries/accounts.ts'
import { insertToken, testTime } from './fixtures.ts'
import { ledgerModel } from './model.ts'
import {
  addSimulatedUser,
  applyToModel,
  initialCap,
  nextStep,
  type Random,
  type SimulatedUser,
  type Step,
  tokenOf,
} from './steps.ts'

type Prices = { one: number; free: number }
export type Workload = { store: Store; prices: Prices; gate: ReturnType<typeof makeGate> }

/** Creates two price versions, one point per token and free, so that the auditor can recompute every charge. */
export const prepareWorkload = async (store: Store): Promise<Workload> => {
  const classes = ['input', 'cacheRead', 'cacheWrite5m', 'cacheWrite1h', 'output', 'reasoning']
  const media = ['audioInput', 'audioOutput', 'imageInput', 'imageOutput']
  const ratios = Object.fromEntries([...classes, ...media].map(each => [each, '1']))
  const version = async (price: string) => {
    const terms = {
      type: 'tokens',
      input: price,
      output: price,
      group_ratio: '1',
      ratios,
      tools: {},
    }
    const body = JSON.stringify(terms)
    const row = {
      hash: createHash('sha256').update(body).digest('hex'),
      body,
      created_at: testTime,
    }
    const insert = store.db.insertInto('price_versions').values(row).returning('id')
    return (await insert.executeTakeFirstOrThrow()).id
  }
  return { store, gate: makeGate(), prices: { one: await version('1'), free: await version('0') } }
}

const appOf = (store: Store) =>
  ({ ledger: store.ledger, now: () => testTime * 1000 }) as unknown as App

/** Below the pool size of a store, because waiting too long for a connection fails. */
const changesAtOnce = 6

/** Limits concurrency; further callers wait in order. */
const makeGate = () => {
  const waiting: (() => void)[] = []
  let free = changesAtOnce
  return async <T>(work: () => Promise<T>): Promise<T> => {
    if (free > 0) free -= 1
    else await new Promise<void>(resolve => waiting.push(resolve))
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      if (next) next()
      else free += 1
    }
  }
}

export const givePoints = (
  { store, gate }: Workload,
  source: string,
  userId: number,
  amount: number,
): Promise<number> => {
  const sides =
    amount > 0
      ? { debit: systemAccounts.grants, credit: userId }
      : { debit: userId, credit: systemAccounts.grants }
  const gift = { kind: 'admin' as const, source, ...sides, amount: Math.abs(amount) }
  const transact = (tx: Database) => post(appOf(store), tx, [gift])
  return gate(() => store.db.transaction().execute(transact))
}

export const openSimulatedUser = async (ground: Workload, userId: number): Promise<void> => {
  const { store } = ground
  const account = { balance: 0, held: 0, used: 0, requests: 0, frozen: 0 }
  await store.db
    .insertInto('accounts')
    .values({ user_id: userId, ...account })
    .execute()
  await insertToken(store.db, tokenOf(userId, 0), userId)
  await insertToken(store.db, tokenOf(userId, 1), userId, { cap: initialCap })
  await givePoints(ground, `first:${userId}`, userId, 1000)
}

/** The operations of the ledger, with receipts that match their charge. */
export const operationsOf = ({ store, prices }: Workload, userId: number) => {
  const priceOf = (cost: number) => (cost === 0 ? prices.free : prices.one)
  const receipt = (cost: number, finish: string) =>
    JSON.stringify({ usage: { input: cost }, price: priceOf(cost), model: 'm', finish })
  const who = (tokenId: number) => ({ userId, tokenId, at: testTime })
  return {
    hold: (id: number, tokenId: number, amount: number, unbounded: UnboundedHold | null = null) =>
      store.ledger.submit({
        ...{ kind: 'hold', id, ...who(tokenId), amount, priceId: prices.one },
        ...(unbounded !== null && { unbounded }),
      }),
    settle: (id: number, tokenId: number, charge: number) =>
      store.ledger.submit({
        ...{ kind: 'settle', id, ...who(tokenId), channelId: 3, charge },
        ...{ priceId: priceOf(charge), usage: receipt(charge, 'complete'), log: null },
      }),
    checkpoint: (id: number, accrued: number, want: number) =>
      store.ledger.submit({
        kind: 'checkpoint',
        id,
        accrued,
        usage: receipt(accrued, 'lost'),
        want,
      }),
    giveBack: (id: number) => store.ledger.submit({ kind: 'void', id }),
    recover: (id: number) => store.ledger.submit({ kind: 'recover', id, at: testTime }),
  }
}

/** Applies the step to the store and returns the actual outcome. */
const applyToStore = async (
  ground: Workload,
  { userId }: SimulatedUser,
  step: Step,
): Promise<unknown> => {
  const { gate } = ground
  const { db } = ground.store
  const verbs = operationsOf(ground, userId)
  switch (step.do) {
    case 'hold':
      return verbs.hold(step.id, tokenOf(userId, step.token), step.amount, step.unbounded)
    case 'lost':
    case 'settle':
      return verbs.settle(step.id, tokenOf(userId, step.token), step.amount)
    case 'checkpoint':
      return verbs.checkpoint(step.id, step.accrued, step.want)
    case 'giveBack':
    case 'recover':
      return verbs[step.do](step.id)
    case 'gift':
      return givePoints(ground, step.source, userId, step.amount).then(
        posted => (posted === 1 ? 'posted' : 'known'),
        error => {
          if (error instanceof Fault && error.code === 'quota.below_zero') return 'refused'
          throw error
        },
      )
    case 'freeze':
      await gate(() => setFrozen(db, userId, step.on ? 1 : 0))
      return undefined
    case 'enable':
      await gate(() => changeToken(db, userId, step.token, { status: step.on ? 1 : 2 }))
      return undefined
    case 'cap':
      await gate(() => changeToken(db, userId, step.token, { cap: step.cap }))
      return undefined
  }
}

const changeToken = (
  db: Database,
  userId: number,
  token: number,
  change: { status: number } | { cap: number },
) =>
  db.updateTable('token_spend').set(change).where('token_id', '=', tokenOf(userId, token)).execute()

/**
 * Runs the steps of one user and compares each outcome with the model, then all rows. Concurrent users fill the batches;
 * the comparison stays exact because users share no rows.
 */
export const runInLockstep = async (
  ground: Workload,
  random: Random,
  userId: number,
  steps: number,
): Promise<ReturnType<typeof ledgerModel>> => {
  const model = ledgerModel()
  const player = addSimulatedUser(model, userId)
  await openSimulatedUser(ground, userId)
  for (let n = 0; n < steps; n += 1) {
    const step = nextStep(random, player, ground.store.ledger.nextId)
    const expected = applyToModel(model, player, step)
    const found = await applyToStore(ground, player, step)
    assert.deepEqual(found, expected, `user ${userId}, step ${n}: ${JSON.stringify(step)}`)
  }
  await compareRows(ground.store.db, userId, model)
  return model
}

export const compareRows = async (
  db: Database,
  userId: number,
  model: ReturnType<typeof ledgerModel>,
) => {
  const {
    user_id: _,
    frozen_by_debt: __,
    ...row
  } = await db
    .selectFrom('accounts')
    .selectAll()
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow()
  assert.deepEqual({ ...row, frozen: row.frozen === 1 }, model.accounts.get(userId))
  const tokens = await db
    .selectFrom('token_spend')
    .selectAll()
    .where('user_id', '=', userId)
    .execute()
  for (const { token_id, cap, used, held } of tokens) {
    const expected = model.tokens.get(token_id)!
    assert.deepEqual(
      { cap, used, held },
      { cap: expected.cap, used: expected.used, held: expected.held },
    )
  }
  const holds = await db.selectFrom('holds').selectAll().where('user_id', '=', userId).execute()
  assert.deepEqual(
    new Map(
      holds.map(({ id, amount, accrued, unbounded }) => [id, { amount, accrued, unbounded }]),
    ),
    new Map(
      [...model.holds].map(([id, { amount, accrued, unbounded }]) => [
        id,
        { amount, accrued, unbounded },
      ]),
    ),
  )
  const charges = await db
    .selectFrom('transfers')
    .leftJoin('shortfalls', 'shortfalls.id', 'transfers.id')
    .where('transfers.kind', '=', 'request')
    .where('debit', '=', userId)
    .select([
      'transfers.id',
      'transfers.amount',
      'shortfalls.amount as shortfall',
      'shortfalls.kind',
    ])
    .execute()
  assert.deepEqual(
    new Map(
      charges.map(({ id, amount, shortfall, kind }) => [
        id,
        { amount, shortfall: shortfall ?? 0, isUnbounded: kind === 'unbounded' },
      ]),
    ),
    new Map(
      [...model.posted].map(([id, { amount, shortfall, isUnbounded }]) => [
        id,
        { amount, shortfall, isUnbounded },
      ]),
    ),
  )
}
