import type { ledgerModel } from './model.ts'

type Model = ReturnType<typeof ledgerModel>

const sums = (pairs: Iterable<readonly [number, number]>) => {
  const all = new Map<number, number>()
  for (const [key, amount] of pairs) all.set(key, (all.get(key) ?? 0) + amount)
  return all
}

/**
 * Checks the invariants of the model after a step, independently of the steps. Returns a sentence per violation. The maps
 * themselves guarantee I2 and part of I3; I5 is checked per step, where the cost is known.
 */
export const brokenInvariants = ({ accounts, tokens, holds, posted, gifts }: Model): string[] => {
  const broken: string[] = []
  const must = (isTrue: boolean, invariant: string, what: string) => {
    if (!isTrue) broken.push(`${invariant} ${what}`)
  }
  const charges = sums([...posted.values()].map(each => [each.userId, each.amount]))
  const given = sums([...gifts.values()].map(each => [each.userId, each.amount]))
  const held = sums([...holds.values()].map(each => [each.userId, each.amount]))
  for (const [id, account] of accounts) {
    const balance = (given.get(id) ?? 0) - (charges.get(id) ?? 0)
    must(account.balance === balance, 'I1', `user ${id} has ${account.balance}, given ${balance}`)
    must(account.used === (charges.get(id) ?? 0), 'I1', `user ${id} used ${account.used}`)
    must(account.held === (held.get(id) ?? 0), 'I3', `user ${id} holds ${account.held}`)
    must(account.held >= 0 && account.balance >= account.held, 'I4', `user ${id} is below zero`)
  }
  const spent = sums([...posted.values()].map(each => [each.tokenId, each.amount]))
  const reserved = sums([...holds.values()].map(each => [each.tokenId, each.amount]))
  for (const [id, token] of tokens) {
    must(token.used === (spent.get(id) ?? 0), 'I1', `token ${id} used ${token.used}`)
    must(token.held === (reserved.get(id) ?? 0), 'I3', `token ${id} holds ${token.held}`)
    const capped = token.cap ?? Number.MAX_SAFE_INTEGER
    must(token.used + token.held <= capped, 'I5', `token ${id} used ${token.used} of ${capped}`)
  }
  for (const [id, { amount, shortfall }] of posted) {
    must(!holds.has(id), 'I3', `request ${id} is open and charged`)
    must(amount >= 0 && shortfall >= 0, 'I5', `request ${id} charged ${amount}, short ${shortfall}`)
  }
  return broken
}

/** Checks I5 of one settle: charge and shortfall add up to the cost, and the charge is at most the payable amount. */
export const isChargeValid = (
  cost: number,
  charged: number,
  shortfall: number,
  payable: number,
): boolean => charged >= 0 && charged + shortfall === cost && charged <= payable
