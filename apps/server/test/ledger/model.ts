import { type Outcomes, type UnboundedHold, unboundedHolds } from '../../src/db/operations.ts'

type Account = { balance: number; held: number; used: number; requests: number; frozen: boolean }
type Token = { userId: number; enabled: boolean; cap: number | null; used: number; held: number }
type Hold = {
  userId: number
  tokenId: number
  amount: number
  accrued: number
  unbounded: UnboundedHold | null
}
type Posted = {
  userId: number
  tokenId: number
  amount: number
  shortfall: number
  isUnbounded: boolean
}

export type LedgerModel = ReturnType<typeof ledgerModel>

const makeMaps = () => ({
  accounts: new Map<number, Account>(),
  tokens: new Map<number, Token>(),
  holds: new Map<number, Hold>(),
  posted: new Map<number, Posted>(),
  /** Grants by administrators by source; deductions are negative. */
  gifts: new Map<string, { userId: number; amount: number }>(),
})
type Maps = ReturnType<typeof makeMaps>

/** The reference of the ledger in plain maps, written for clarity. Both engines must agree with it. */
export const ledgerModel = () => {
  const maps = makeMaps()
  return { ...maps, ...openingOperations(maps), ...closingOperations(maps), ...grants(maps) }
}

const free = (account: Account) => account.balance - account.held
const left = (token: Token) =>
  token.cap === null ? Number.MAX_SAFE_INTEGER : token.cap - token.used - token.held

const reserve = ({ accounts, tokens }: Maps, hold: Hold, amount: number) => {
  accounts.get(hold.userId)!.held += amount
  tokens.get(hold.tokenId)!.held += amount
}

type Refused = Exclude<Outcomes['hold'], { ok: true }>

const refusal = ({ accounts, tokens, holds }: Maps, hold: Hold): Refused | undefined => {
  const { userId, tokenId, amount, unbounded } = hold
  const account = accounts.get(userId)!
  const refuse = (why: Refused['why'], held?: number): Refused => ({
    ok: false,
    why,
    ...(held !== undefined && { held }),
  })
  const token = tokens.get(tokenId)
  if (token?.userId !== userId || !token.enabled) return refuse('token-disabled')
  const isTokenShort = left(token) < amount
  if (isTokenShort && left(token) + token.held < amount) return refuse('token-exhausted')
  if (account.frozen) return refuse('frozen')
  if (account.balance < amount) return refuse('balance')
  if (isTokenShort) return refuse('held', token.held)
  const mustWait =
    unbounded === unboundedHolds.alone &&
    [...holds.values()].some(
      each => each.userId === userId && each.unbounded === unboundedHolds.alone,
    )
  return mustWait || free(account) < amount ? refuse('held', account.held) : undefined
}

const charge = ({ accounts, tokens }: Maps, userId: number, tokenId: number, amount: number) => {
  const account = accounts.get(userId)!
  account.balance -= amount
  account.used += amount
  account.requests += 1
  tokens.get(tokenId)!.used += amount
}

const openingOperations = (maps: Maps) => ({
  hold: (
    id: number,
    who: Pick<Hold, 'userId' | 'tokenId'>,
    amount: number,
    unbounded: Hold['unbounded'],
  ): Outcomes['hold'] => {
    const hold = { ...who, amount, accrued: 0, unbounded }
    const refused = refusal(maps, hold)
    if (refused) return refused
    maps.holds.set(id, hold)
    reserve(maps, hold, amount)
    return { ok: true }
  },
  checkpoint: (id: number, accrued: number, want: number): Outcomes['checkpoint'] => {
    const hold = maps.holds.get(id)
    if (!hold) return { ok: false, why: 'gone' }
    const account = maps.accounts.get(hold.userId)!
    const token = maps.tokens.get(hold.tokenId)!
    const isOpen = !account.frozen && token.enabled
    const granted = isOpen ? Math.max(0, Math.min(want, free(account), left(token))) : 0
    hold.accrued = accrued
    hold.amount += granted
    reserve(maps, hold, granted)
    return { ok: true, granted }
  },
})

/** Removes the hold and releases its points. */
const close = (maps: Maps, id: number): Hold | undefined => {
  const hold = maps.holds.get(id)
  if (hold) reserve(maps, hold, -hold.amount)
  maps.holds.delete(id)
  return hold
}

const closingOperations = (maps: Maps) => ({
  settle: (id: number, userId: number, tokenId: number, cost: number): Outcomes['settle'] => {
    const before = maps.posted.get(id)
    if (before) {
      return { ok: true, charged: before.amount, shortfall: before.shortfall, late: false }
    }
    const hold = close(maps, id)
    const reserved = hold?.amount ?? 0
    const payable = Math.min(free(maps.accounts.get(userId)!), left(maps.tokens.get(tokenId)!))
    const available = payable - reserved
    const beyond = Math.min(Math.max(0, cost - reserved), available)
    const amount = Math.min(cost, reserved + Math.max(0, beyond))
    charge(maps, userId, tokenId, amount)
    const shortfall = cost - amount
    const isUnbounded = shortfall > 0 && hold !== undefined && hold.unbounded !== null
    maps.posted.set(id, { userId, tokenId, amount, shortfall, isUnbounded })
    return {
      ...{ ok: true, charged: amount, shortfall, late: !hold },
      ...(isUnbounded && { isUnbounded: true as const }),
    }
  },
  giveBack: (id: number): Outcomes['void'] => {
    close(maps, id)
    return { ok: true }
  },
  recover: (id: number): Outcomes['recover'] => {
    const hold = close(maps, id)
    if (!hold || hold.accrued === 0) return { ok: true }
    const amount = Math.min(hold.accrued, hold.amount)
    charge(maps, hold.userId, hold.tokenId, amount)
    const { userId, tokenId } = hold
    maps.posted.set(id, { userId, tokenId, amount, shortfall: 0, isUnbounded: false })
    return { ok: true }
  },
})

const grants = ({ accounts, gifts }: Maps) => ({
  gift: (source: string, userId: number, amount: number): 'posted' | 'known' | 'refused' => {
    if (gifts.has(source)) return 'known'
    const account = accounts.get(userId)!
    if (free(account) + amount < 0) return 'refused'
    account.balance += amount
    gifts.set(source, { userId, amount })
    return 'posted'
  },
})
