import type { ledgerModel } from './model.ts'

type Model = ReturnType<typeof ledgerModel>

const sums = (pairs: Iterable<readonly [number, number]>) => {
  const all = new Map<number, number>()
  for (const [key, amount] of pairs) all.set(key, (all.get(key) ?? 0) + amount)
  return all
}

/**
 * What must be true of a ledger after every step, said once more and otherwise than by the steps: a sentence for each
 * law that is broken. I2 and I3 (once) are the maps themselves; I5 is checked step by step, where the cost is known.
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
  }
  for (const [id, { amount, shortfall }] of posted) {
    must(!holds.has(id), 'I3', `request ${id} is open and charged`)
    must(amount >= 0 && shortfall >= 0, 'I5', `request ${id} charged ${amount}, short ${shortfall}`)
  }
  return broken
}

/** I5 of one settling: all of the cost is either charged or written down, and no more than could be charged was. */
export const isChargeValid = (
  cost: number,
  charged: number,
  shortfall: number,
  payable: number,
): boolean => charged >= 0 && charged + shortfall === cost && charged <= payable
