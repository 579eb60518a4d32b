import { Fault } from '@hub/contract/faults'
import type { Statements } from './statements.ts'

type AccountSum = { spent: number; held: number; requests: number }
type TokenSum = { spent: number; held: number; usedAt: number }
type ChannelSum = { used: number; n: number }

/** What one call takes: of the balance, and of what is held. */
type Spent = {
  userId: number
  tokenId: number
  channelId: number
  amount: number
  held: number
  at: number
}

export type Sums = ReturnType<typeof makeSums>

/**
 * What a batch changes in the rows that many calls share: one statement for each of them, however many calls of the
 * batch are of one user. `write` comes before anything reads those rows, and before the commit.
 */
export const makeSums = (statements: Statements) => {
  const accounts = new Map<number, AccountSum>()
  const tokens = new Map<number, TokenSum>()
  const channels = new Map<number, ChannelSum>()

  const ofAccount = (userId: number) =>
    sumOf(accounts, userId, () => ({ spent: 0, held: 0, requests: 0 }))
  const ofToken = (tokenId: number) =>
    sumOf(tokens, tokenId, () => ({ spent: 0, held: 0, usedAt: 0 }))
  const ofChannel = (channelId: number) => sumOf(channels, channelId, () => ({ used: 0, n: 0 }))

  /** `n`: how many requests it is counted as. */
  const spend = ({ userId, tokenId, channelId, amount, held, at }: Spent, n: number): void => {
    const account = ofAccount(userId)
    account.spent += amount
    account.held += held
    account.requests += n
    const token = ofToken(tokenId)
    token.spent += amount
    token.held += held
    token.usedAt = Math.max(token.usedAt, at)
    const channel = ofChannel(channelId)
    channel.used += amount
    channel.n += n
  }

  const giveBack = (userId: number, tokenId: number, amount: number): void => {
    ofAccount(userId).held += amount
    ofToken(tokenId).held += amount
  }

  const write = (): void => {
    for (const [userId, { spent, held, requests }] of accounts)
      if (statements.spendAccount.run(spent, held, requests, userId).changes !== 1)
        throw new Fault('server.failed', { detail: `no account ${userId}` })
    for (const [tokenId, { spent, held, usedAt }] of tokens)
      statements.spendToken.get(spent, held, usedAt, tokenId)
    accounts.clear()
    tokens.clear()
  }

  const writeChannels = (epoch: number): void => {
    for (const [channelId, { used, n }] of channels)
      statements.addChannelUsed.get(channelId, epoch, used, n)
  }

  /** A batch that failed leaves its sums behind. */
  const clear = (): void => {
    accounts.clear()
    tokens.clear()
    channels.clear()
  }

  return { spend, giveBack, write, writeChannels, clear }
}

const sumOf = <S>(sums: Map<number, S>, id: number, make: () => S): S => {
  const known = sums.get(id)
  if (known) return known
  const made = make()
  sums.set(id, made)
  return made
}
