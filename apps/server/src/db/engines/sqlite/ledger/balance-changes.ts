import { Fault } from '@hub/contract/faults'
import type { Statements } from './statements.ts'

type AccountChange = { charged: number; held: number; requests: number }
type TokenChange = { charged: number; held: number; usedAt: number }
type ChannelChange = { charged: number; count: number }

/** The effect of one posting on the shared rows: points charged, and points of the hold that ends. */
type Charge = {
  userId: number
  tokenId: number
  channelId: number
  amount: number
  held: number
  at: number
}

export type BalanceChanges = ReturnType<typeof makeBalanceChanges>

/**
 * Collects the changes of a batch to rows that many calls share, so that each row costs one statement per batch.
 * `write` must run before those rows are read, and before the commit.
 */
export const makeBalanceChanges = ({ accounts, tokens, postings }: Statements) => {
  const accountChanges = new Map<number, AccountChange>()
  const tokenChanges = new Map<number, TokenChange>()
  const channelChanges = new Map<number, ChannelChange>()

  const ofAccount = (userId: number) =>
    getOrInsert(accountChanges, userId, () => ({ charged: 0, held: 0, requests: 0 }))
  const ofToken = (tokenId: number) =>
    getOrInsert(tokenChanges, tokenId, () => ({ charged: 0, held: 0, usedAt: 0 }))
  const ofChannel = (channelId: number) =>
    getOrInsert(channelChanges, channelId, () => ({ charged: 0, count: 0 }))

  /** `requests` is 1 for the first posting of a request, and 0 for a late one. */
  const charge = (
    { userId, tokenId, channelId, amount, held, at }: Charge,
    requests: number,
  ): void => {
    const account = ofAccount(userId)
    account.charged += amount
    account.held += held
    account.requests += requests
    const token = ofToken(tokenId)
    token.charged += amount
    token.held += held
    token.usedAt = Math.max(token.usedAt, at)
    const channel = ofChannel(channelId)
    channel.charged += amount
    channel.count += requests
  }

  const release = (userId: number, tokenId: number, amount: number): void => {
    ofAccount(userId).held += amount
    ofToken(tokenId).held += amount
  }

  const write = (): void => {
    for (const [userId, { charged, held, requests }] of accountChanges)
      if (accounts.charge.run(charged, held, requests, userId).changes !== 1)
        throw new Fault('server.failed', { detail: `no account ${userId}` })
    for (const [tokenId, { charged, held, usedAt }] of tokenChanges)
      tokens.charge.get(charged, held, usedAt, tokenId)
    accountChanges.clear()
    tokenChanges.clear()
  }

  const writeChannels = (epoch: number): void => {
    for (const [channelId, { charged, count }] of channelChanges)
      postings.addChannelUsed.get(channelId, epoch, charged, count)
  }

  /** Discards the changes of a failed batch. */
  const clear = (): void => {
    accountChanges.clear()
    tokenChanges.clear()
    channelChanges.clear()
  }

  return { charge, release, write, writeChannels, clear }
}

const getOrInsert = <S>(changes: Map<number, S>, id: number, make: () => S): S => {
  const existing = changes.get(id)
  if (existing) return existing
  const inserted = make()
  changes.set(id, inserted)
  return inserted
}
