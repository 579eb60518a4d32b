import { Fault } from '@hub/contract'
import type { AccountBalance, BalanceQuery } from '@hub/providers'
import { type App, nowSeconds } from '../core/app.ts'
import { reportFailure, reportSuccess } from '../core/health/services.ts'
import { findChannel, recordBalance } from '../db/queries/relay-channels.ts'
import { type Channel, decodeChannel, unusableProvider } from '../relay/channels/channel.ts'
import { fetchText } from './fetch-text.ts'

/** Asks the vendor for the balance of the channel's account, and records it. Throws `channel.balance_unavailable`. */
export const updateBalance = async (app: App, id: number): Promise<AccountBalance> => {
  const row = await findChannel(app.db, id)
  if (!row) throw new Fault('resource.missing')
  if (row.key_count === 0) throw new Fault('channel.key_missing')
  const channel = decodeChannel(app, row)
  if (!channel) throw unusableProvider(row.type)
  const balance = await fetchReported(app, channel, row.name)
  const { amount, currency } = balance
  await recordBalance(app.db, id, { at: nowSeconds(app), amount: Number(amount), currency })
  return balance
}

const unavailable = (hint: string, cause?: unknown) =>
  new Fault('channel.balance_unavailable', { hint, ...(cause === undefined ? {} : { cause }) })

/** A provider without a query does not count as a failure: its balance is unknown by nature. */
const fetchReported = async (app: App, channel: Channel, name: string): Promise<AccountBalance> => {
  const service = { service: 'balance', id: channel.id, name } as const
  try {
    const balance = await fetchBalance(app, channel)
    await reportSuccess(app, service)
    return balance
  } catch (error) {
    if (channel.provider.balance) await reportFailure(app, service, error)
    throw error
  }
}

const fetchBalance = async (app: App, channel: Channel): Promise<AccountBalance> => {
  const { balance, baseUrl } = channel.provider
  if (!balance) throw unavailable('The provider has no balance query.')
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
