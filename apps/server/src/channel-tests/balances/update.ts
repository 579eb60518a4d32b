import { Fault } from '@hub/contract'
import type { AccountBalance, BalanceQuery } from '@hub/providers'
import { type App, nowSeconds } from '../../core/app.ts'
import { reportFailure, reportSuccess } from '../../core/health/services.ts'
import { storeAttempt } from '../../db/queries/channel-balances.ts'
import { findChannel } from '../../db/queries/relay-channels.ts'
import { type Channel, decodeChannel, unusableProvider } from '../../relay/channels/channel.ts'
import { fetchText } from '../fetch-text.ts'
import { recordReading } from './record.ts'

/**
 * Asks the vendor for the balance of the channel's account, and records it. Throws `channel.balance_unavailable`. On the
 * schedule, a failure is reported only of an account that has once shown its balance: many servers show none.
 */
export const updateBalance = async (
  app: App,
  id: number,
  { onSchedule = false }: { onSchedule?: boolean } = {},
): Promise<AccountBalance> => {
  const row = await findChannel(app.db, id)
  if (!row) throw new Fault('resource.missing')
  if (row.key_count === 0) throw new Fault('channel.key_missing')
  const channel = decodeChannel(app, row)
  if (!channel) throw unusableProvider(row.type)
  await storeAttempt(app.db, id, nowSeconds(app))
  const isReported = !onSchedule || row.balance_updated_time > 0
  const balance = await fetchReported(app, channel, isReported)
  await recordReading(app, channel, balance)
  return balance
}

const unavailable = (hint: string, cause?: unknown) =>
  new Fault('channel.balance_unavailable', { hint, ...(cause === undefined ? {} : { cause }) })

/** False: no server of this address shows a balance. */
export const hasBalance = (
  provider: Channel['provider'] | undefined,
  { baseUrl }: { baseUrl: string },
): boolean => {
  const query = provider?.balance
  if (!provider || !query) return false
  return query.isOffered?.(baseUrl || provider.baseUrl) !== false
}

/** A provider without a query does not count as a failure: its balance is unknown by nature. */
const fetchReported = async (
  app: App,
  channel: Channel,
  isReported: boolean,
): Promise<AccountBalance> => {
  const service = { service: 'balance', id: channel.id, name: channel.name } as const
  try {
    const balance = await fetchBalance(app, channel)
    await reportSuccess(app, service)
    return balance
  } catch (error) {
    if (isReported && hasBalance(channel.provider, channel))
      await reportFailure(app, service, error)
    throw error
  }
}

const fetchBalance = async (app: App, channel: Channel): Promise<AccountBalance> => {
  const { balance, baseUrl } = channel.provider
  if (!balance || !hasBalance(channel.provider, channel))
    throw unavailable('The provider has no balance query.')
  return readFirst(app, channel, balance, channel.baseUrl || baseUrl)
}

/** The balance by the first query that gets one. The first refusal says most: a fallback is for another kind of server. */
const readFirst = async (
  app: App,
  channel: Channel,
  { fallback, ...query }: BalanceQuery,
  baseUrl: string,
): Promise<AccountBalance> => {
  const isAsked = query.isFor?.(channel.keys[0]!.credential) !== false
  if (!isAsked && fallback) return readFirst(app, channel, fallback, baseUrl)
  try {
    return await readBalance(app, channel, query, baseUrl)
  } catch (first) {
    if (!fallback) throw first
    return readFirst(app, channel, fallback, baseUrl).catch(() => Promise.reject(first))
  }
}

const readBalance = async (
  app: App,
  channel: Channel,
  query: BalanceQuery,
  baseUrl: string,
): Promise<AccountBalance> => {
  const answers: unknown[] = []
  for (const path of query.paths) {
    const text = await fetchText(app, channel, path).catch((cause: unknown) => {
      throw unavailable(cause instanceof Fault ? cause.message : '', cause)
    })
    answers.push(parseJson(text))
  }
  const left = query.read(answers, baseUrl)
  if (!left) throw unavailable('Its answer contains no balance.')
  return left
}

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
