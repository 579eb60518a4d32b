import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { AttentionReason, ChannelBalanceHistory } from '@hub/contract'
import { afterAll, beforeAll, beforeEach } from 'vitest'
import { keepAlive } from '../../../../test/harness/addresses/keep-alive.ts'
import updateBalances from '../../src/jobs/update-balances.ts'
import type { TestApp } from '../harness.ts'
import { noticesOf, subscribe } from '../notices.ts'

/** Channel types. */
export const deepSeek = 28
export const gateway = 67

const hourMs = 3_600_000
const events = ['channel.balance', 'channel.funds', 'balance.failed'] as const
const tables = [
  ...(['channels', 'channel_balances', 'channel_balance_states'] as const),
  ...(['service_failures', 'notifications', 'notification_targets'] as const),
]

/** A gateway, and a vendor whose answer to a path a test chooses. Each test begins without channels. */
export const useBalanceHub = (open: () => Promise<TestApp>) => {
  let hub: TestApp
  let vendor: Server
  let url: string
  const answers = new Map<string, [status: number, body: unknown]>()
  const requested: string[] = []

  beforeAll(async () => {
    vendor = createServer(keepAlive, ({ url: path = '' }, response) => {
      requested.push(path)
      const [status, body] = answers.get(path) ?? [404, {}]
      response.writeHead(status, { 'content-type': 'application/json' })
      response.end(typeof body === 'string' ? body : JSON.stringify(body))
    })
    await new Promise<void>(resolve => vendor.listen(0, '127.0.0.1', resolve))
    url = `http://127.0.0.1:${(vendor.address() as AddressInfo).port}`
    hub = await open()
  })
  afterAll(() => void vendor.close())
  beforeEach(async () => {
    requested.length = 0
    answers.clear()
    const { db, state } = hub.app
    for (const table of tables) await db.deleteFrom(table).execute()
    for (const key of ['Automatic%', 'ChannelUpdate%', 'BalanceWarning%'])
      await db.deleteFrom('options').where('key', 'like', key).execute()
    await hub.app.reloadSettings()
    for (const key of ['channel-round', 'channel-round-reached'])
      await state.forget(`${key}:balance`)
    await subscribe(hub.root, 'site', events)
  })

  const historyOf = async (id: number, query = ''): Promise<ChannelBalanceHistory> =>
    (await hub.root.get(`/api/channel/${id}/balances${query}`)).body.data
  return {
    answers,
    requested,
    historyOf,
    ...actionsOf(() => ({ hub, url }), answers),
    amountsOf: async (id: number, query = '') =>
      (await historyOf(id, query)).readings.map(({ amount }) => amount),
    reasonOf: async (id: number): Promise<AttentionReason | undefined> => {
      const { channels } = (await hub.root.get('/api/operations/attention')).body.data
      const found: { reasons: AttentionReason[] } | undefined = channels.find(
        (each: { id: number }) => each.id === id,
      )
      return found?.reasons.find(each => each.kind === 'balance')
    },
    /** The titles of what was notified, by event. */
    titles: async () => {
      const found = await Promise.all(events.map(each => noticesOf(hub.root, 'site', each)))
      // Events of an empty account are counted in one message while it waits for the digest.
      return found.map(list => list.flatMap(([count, title]) => Array<string>(count).fill(title)))
    },
    /** The rows of a channel with their minutes before now. */
    storedOf: async (id: number) => {
      const rows = await hub.app.db
        .selectFrom('channel_balances')
        .selectAll()
        .where('channel_id', '=', id)
        .orderBy('at')
        .execute()
      return rows.map(({ at, amount, currency, kind }) => [
        Math.round((at - Math.floor(hub.clock.now / 1_000)) / 60),
        `${amount} ${currency} ${kind}`,
      ])
    },
  }
}

export type BalanceHub = ReturnType<typeof useBalanceHub>

const actionsOf = (
  here: () => { hub: TestApp; url: string },
  answers: Map<string, [status: number, body: unknown]>,
) => ({
  site: () => here().hub,
  /** Unix seconds. */
  now: () => Math.floor(here().hub.clock.now / 1_000),
  set: (key: string, value: string) => here().hub.root.put('/api/option/', { key, value }),
  add: async (name: string, more: object = {}): Promise<number> => {
    const { hub, url } = here()
    const channel = { type: deepSeek, name, key: `sk-${name}`, models: 'm', ...more }
    return (await hub.root.post('/api/channel/', { base_url: `${url}/${name}`, ...channel })).body
      .data[0].id
  },
  shows: (name: string, amount: number | string, currency = 'USD') => {
    const entry = { currency, total_balance: String(amount) }
    answers.set(`/${name}/user/balance`, [200, { balance_infos: [entry] }])
  },
  usageOf: (name: string, answer: unknown, status = 200) =>
    answers.set(`/${name}/v1/usage`, [status, answer]),
  /** The next run of the job after so many hours. */
  runAfter: async (hours: number) => {
    const { hub } = here()
    hub.clock.now += hours * hourMs
    await updateBalances.run(hub.app)
  },
  read: (id: number) => here().hub.root.post(`/api/channel/update_balance/${id}`),
})
