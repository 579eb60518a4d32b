import type { Outcomes } from '../../src/db/operations.ts'

type Account = { balance: number; held: number; used: number; requests: number; frozen: boolean }
type Token = { userId: number; enabled: boolean; cap: number | null; used: number; held: number }
type Hold = { userId: number; tokenId: number; amount: number; accrued: number }
type Posted = { userId: number; tokenId: number; amount: number; shortfall: number }

/** What the ledger promises, in plain maps and without any thought of speed. Both engines must agree with it. */
export const ledgerModel = () => {
  const accounts = new Map<number, Account>()
  const tokens = new Map<number, Token>()
  const holds = new Map<number, Hold>()
  const posted = new Map<number, Posted>()
  /** What people gave (or took, below zero), by source. */
  const gifts = new Map<string, { userId: number; amount: number }>()

  const free = (account: Account) => account.balance - account.held
  const left = (token: Token) =>
    token.cap === null ? Number.MAX_SAFE_INTEGER : token.cap - token.used - token.held

  const reserve = (hold: Hold, amount: number) => {
    accounts.get(hold.userId)!.held += amount
    tokens.get(hold.tokenId)!.held += amount
  }

  const refusal = (userId: number, tokenId: number, amount: number) => {
    const token = tokens.get(tokenId)
    if (token?.userId !== userId || !token.enabled) return 'token-disabled' as const
    if (left(token) < amount) return 'token-exhausted' as const
    const account = accounts.get(userId)!
    if (account.frozen) return 'frozen' as const
    return free(account) < amount ? ('balance' as const) : undefined
  }

  const charge = (userId: number, tokenId: number, amount: number) => {
    const account = accounts.get(userId)!
    account.balance -= amount
    account.used += amount
    account.requests += 1
    tokens.get(tokenId)!.used += amount
  }

  return {
    accounts,
    tokens,
    holds,
    posted,
    gifts,
    hold: (id: number, userId: number, tokenId: number, amount: number): Outcomes['hold'] => {
      const why = refusal(userId, tokenId, amount)
      if (why) return { ok: false, why }
      const hold = { userId, tokenId, amount, accrued: 0 }
      holds.set(id, hold)
      reserve(hold, amount)
      return { ok: true }
    },
    checkpoint: (id: number, accrued: number, want: number): Outcomes['checkpoint'] => {
      const hold = holds.get(id)
      if (!hold) return { ok: false, why: 'gone' }
      const account = accounts.get(hold.userId)!
      const token = tokens.get(hold.tokenId)!
      const isOpen = !account.frozen && token.enabled
      const granted = isOpen ? Math.max(0, Math.min(want, free(account), left(token))) : 0
      hold.accrued = accrued
      hold.amount += granted
      reserve(hold, granted)
      return { ok: true, granted }
    },
    settle: (id: number, userId: number, tokenId: number, cost: number): Outcomes['settle'] => {
      const before = posted.get(id)
      if (before) {
        return { ok: true, charged: before.amount, shortfall: before.shortfall, late: false }
      }
      const hold = holds.get(id)
      if (hold) reserve(hold, -hold.amount)
      holds.delete(id)
      const reserved = hold?.amount ?? 0
      const beyond = Math.min(Math.max(0, cost - reserved), free(accounts.get(userId)!) - reserved)
      const amount = Math.min(cost, reserved + Math.max(0, beyond))
      charge(userId, tokenId, amount)
      posted.set(id, { userId, tokenId, amount, shortfall: cost - amount })
      return { ok: true, charged: amount, shortfall: cost - amount, late: !hold }
    },
    gift: (source: string, userId: number, amount: number): 'posted' | 'known' | 'refused' => {
      if (gifts.has(source)) return 'known'
      const account = accounts.get(userId)!
      if (free(account) + amount < 0) return 'refused'
      account.balance += amount
      gifts.set(source, { userId, amount })
      return 'posted'
    },
    giveBack: (id: number): Outcomes['void'] => {
      const hold = holds.get(id)
      if (hold) reserve(hold, -hold.amount)
      holds.delete(id)
      return { ok: true }
    },
    recover: (id: number): Outcomes['recover'] => {
      const hold = holds.get(id)
      if (!hold) return { ok: true }
      reserve(hold, -hold.amount)
      holds.delete(id)
      if (hold.accrued === 0) return { ok: true }
      const amount = Math.min(hold.accrued, hold.amount)
      charge(hold.userId, hold.tokenId, amount)
      posted.set(id, { userId: hold.userId, tokenId: hold.tokenId, amount, shortfall: 0 })
      return { ok: true }
    },
  }
}
