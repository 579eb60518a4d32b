import { Fault } from '@hub/contract'
import type { Left } from '@hub/providers'
import type { App } from '../../core/app.ts'
import { findChannel, noteBalance } from '../../db/queries/relay-channels.ts'
import { closePools } from '../upstream/pools.ts'
import { type Channel, decodeChannel } from './channel.ts'
import { fetchText } from './fetch-text.ts'

/** Asks the vendor what is left of the channel's account, and writes it down. */
export const updateBalance = async (app: App, id: number): Promise<Left> => {
  const row = await findChannel(app.db, id)
  if (!row) throw new Fault('resource.missing')
  const channel = decodeChannel(app, row)
  if (!channel) throw new Fault('provider.unknown')
  const left = await ask(app, channel).finally(() => closePools(app, channel))
  await noteBalance(app.db, id, { at: Math.floor(app.now() / 1_000), ...left })
  return left
}

const ask = async (app: App, channel: Channel): Promise<Left> => {
  const { balance, baseUrl } = channel.provider
  if (!balance) throw new Fault('channel.balance-unavailable', { hint: 'It cannot be asked.' })
  const answers: unknown[] = []
  for (const path of balance.paths) {
    const text = await fetchText(app, channel, path).catch((cause: unknown) => {
      const hint = cause instanceof Fault ? cause.message : ''
      throw new Fault('channel.balance-unavailable', { cause, hint })
    })
    answers.push(parsed(text))
  }
  const left = balance.read(answers, channel.baseUrl || baseUrl)
  if (!left) throw new Fault('channel.balance-unavailable', { hint: 'Its answer does not say it.' })
  return left
}

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
