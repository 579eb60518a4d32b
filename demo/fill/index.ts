import { setTimeout as sleep } from 'node:timers/promises'
import { Fault } from '@hub/contract'
import { runDueBackup } from '../../apps/server/src/backup/run.ts'
import { storeCacheSums } from '../../apps/server/src/core/usage/store-cache-sums.ts'
import { storeSums } from '../../apps/server/src/core/usage/store-sums.ts'
import * as channelRows from '../../apps/server/src/db/queries/relay-channels.ts'
import * as upstreamRatios from '../../apps/server/src/db/queries/upstream-ratios.ts'
import makeInvoices from '../../apps/server/src/jobs/make-invoices.ts'
import { deliverDue } from '../../apps/server/src/notifications/deliver.ts'
import { channels, wholesale } from '../world/channels.ts'
import { administrator, customer, people, rootPerson } from '../world/people.ts'
import type { DemoPerson } from '../world/person.ts'
import { makeRandom, type Random } from '../world/random.ts'
import { type Account, makeAccounts } from './accounts.ts'
import { fillBalances } from './balances.ts'
import {
  failingSeconds,
  makeCall,
  makeRouter,
  type PlannedCall,
  planDay,
  planRecent,
  type Router,
} from './calls.ts'
import { addErrors, type FailedCall } from './errors.ts'
import { type FillHub, openFillHub, type SharedClock, type Where } from './hub.ts'
import { addCodes, addGateways, type Code, type Gateways, order, redeem } from './money.ts'
import { addOffers, type ChannelRow, setUpSite } from './site.ts'
import { runTask, startTasks } from './tasks.ts'

const daySeconds = 86_400
const days = 61
const pointsPerDollar = 500_000
/** Calls of a working day at the end; there were fewer at the beginning. */
const callsPerDay = 640
const concurrency = 48

export type FillOptions = Where & {
  seed: number
  /** Seconds. */
  end: number
  /** The vendor reads the time of the fill here. */
  clock: SharedClock
  passwords: { administrator: string; customers: string }
  report(line: string): void
}

type World = {
  hub: FillHub
  random: Random
  rows: readonly ChannelRow[]
  router: Router
  gateways: Gateways
  accounts: Account[]
  codes: Code[]
  end: number
  tasks: number
}

/** People who make videos, songs and pictures. */
const taskUsers = ['elena.marsh', 'clara.benoit', 'ruben.castell']

const gatewayOf = ({ random, gateways }: World) =>
  random.below(3) === 0 ? gateways.card : gateways.wallet

const topUp = async (world: World, account: Account): Promise<void> => {
  const { hub, random } = world
  const dollars = account.topUp * (random.below(5) === 0 ? 2 : 1)
  if (random.below(9) === 0) await order(hub, gatewayOf(world), account, dollars, 'abandoned')
  await order(hub, gatewayOf(world), account, dollars)
}

const ledgerPauseMs = 250

/** Repeats work while the ledger admits no calls, as on a machine that is busy with other things. */
const admitted = async <T>(work: () => Promise<T>): Promise<T> => {
  for (;;) {
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof Fault) || error.code !== 'server.ledger') throw error
      await sleep(ledgerPauseMs)
    }
  }
}

/** Runs calls in the order of their times, some at once. */
const makeCalls = async (
  { hub, random, router, rows, end }: World,
  planned: readonly PlannedCall[],
): Promise<void> => {
  const failed: FailedCall[] = []
  let next = 0
  const work = async () => {
    while (next < planned.length) {
      const call = planned[next++]!
      const route = router.pick(random, call)
      const channel = rows.find(each => each.id === route?.channelId)
      if (!route || random.below(45) === 0) {
        const refused = channel ?? rows[channels.findIndex(each => each.isFailing)]!
        failed.push({ call, channelId: refused.id, channel: refused.name })
        continue
      }
      try {
        const points = await admitted(() => makeCall(hub, random, call, route))
        call.account.balance -= points ?? 0
      } catch {
        failed.push({ call, channelId: route.channelId, channel: channel?.name ?? '' })
      }
    }
  }
  await Promise.all(Array.from({ length: concurrency }, work))
  const failing = rows[channels.findIndex(each => each.isFailing)]!.id
  await addErrors(
    hub,
    random,
    failed.sort((a, b) => a.call.at - b.call.at),
    ({ call, channelId }) => channelId === failing && call.at > end - failingSeconds,
  )
}

/** One day: who joins, who pays, what is made, what is called. */
const runDay = async (
  world: World,
  join: (person: DemoPerson) => Promise<Account>,
  daysAgo: number,
): Promise<void> => {
  const { hub, random, accounts, end } = world
  const begin = end - (daysAgo + 1) * daySeconds
  hub.setNow(begin + 60)
  /** Moves to a later hour of the day, before its last sixth. */
  const wait = () =>
    hub.setNow(Math.min(hub.now() + random.below(3 * 3_600), begin + (daySeconds * 5) / 6))
  for (const person of people.filter(each => each.joinedDaysAgo === daysAgo)) {
    wait()
    const account = await join(person)
    accounts.push(account)
    await order(hub, gatewayOf(world), account, account.topUp)
  }
  for (const account of accounts)
    if (account.balance < account.topUp * pointsPerDollar * 0.35) {
      wait()
      await topUp(world, account)
    }
  wait()
  if (daysAgo % 13 === 4) {
    const account = random.pick(accounts)
    await order(hub, gatewayOf(world), account, account.topUp, 'refunded')
  }
  const visitor = random.pick(accounts)
  await hub.signIn(visitor.username, visitor.password, visitor.ip)
  const code = daysAgo % 2 === 0 ? world.codes.pop() : undefined
  if (code) await redeem(hub, random.pick(accounts), code)
  const artists = accounts.filter(({ username }) => taskUsers.includes(username))
  const tasks = daysAgo > 31 || artists.length === 0 ? 0 : daysAgo % 3 === 0 ? 2 : 1
  for (let n = 0; n < tasks; n += 1) {
    wait()
    await runTask(hub, random.pick(artists), world.tasks++)
  }
  const share = (days - daysAgo) / days
  const calls = callsPerDay * (0.25 + 0.75 * share) * (0.9 + random.share() * 0.2)
  const planned = planDay(random, { begin, end: begin + daySeconds, calls, accounts })
  await makeCalls(world, daysAgo > 0 ? planned : [...planned, ...planRecent(random, end, accounts)])
  hub.setNow(begin + daySeconds - 60)
}

/** The vendor answers at once while the demo is filled, so the measured time is replaced by a usual one. */
const testChannel = async ({ hub, random, end }: World, id: number): Promise<void> => {
  const ms = random.skewed(640, 0.4)
  const tested = await hub
    .api<{ kind: string }>('POST', `/api/channel/test/${id}`, {})
    .catch(() => undefined)
  if (tested?.kind !== 'call') return
  const at = end - random.below(900)
  await channelRows.recordTest(hub.app.db, id, { at, ms, kind: 'call' })
}

/** Its multiplier was another one until the last reading. */
const readUpstream = async ({ hub, end }: World, id: number): Promise<void> => {
  await upstreamRatios.append(hub.app.db, {
    ...{ channel_id: id, group: 'vip', ratio: wholesale.ratioBefore },
    ...{ valid_from: end - 20 * daySeconds, is_confirmed: 1 },
  })
  await hub.api('POST', `/api/channel/${id}/upstream`, {})
}

/** The state of the last hours: tests, balances, orders that wait, tasks that run, sums and invoices. */
const finish = async (world: World): Promise<void> => {
  const { hub, random, rows, accounts, end } = world
  const buyer = accounts.find(each => each.username === customer.username)
  hub.setNow(end - 1_500)
  await order(hub, world.gateways.wallet, accounts[8]!, 20, 'waiting')
  await order(hub, world.gateways.card, buyer!, 50, 'waiting')
  await startTasks(hub, random, accounts.slice(0, 3))
  hub.setNow(end)
  for (const [index, { name, balance, type, isDisabled }] of channels.entries()) {
    const { id } = rows[index]!
    // Vendors of tasks offer no free test.
    if (type !== 53 && type !== 41 && type !== 34) await testChannel(world, id)
    if (balance !== undefined) await fillBalances(hub, random, { id, name, balance, end })
    if (isDisabled) await hub.api('PUT', '/api/channel/', { id, status: 2 })
    if (type === 67) await readUpstream(world, id)
  }
  await hub.api('POST', '/api/prices/schedule', {
    models: ['grok-4.6'],
    price: { model: 'grok-4.6', type: 'tokens', channel_type: 56, input: 1.25, output: 6.25 },
    at: end + 5 * daySeconds,
  })
  await hub.api('PUT', '/api/option/', { key: 'TaskPollsPerSecond', value: '20' })
  // The vendor of the demo shows no balances.
  await hub.api('PUT', '/api/option/', { key: 'ChannelUpdateFrequency', value: '0' })
  await storeSums(hub.app)
  await storeCacheSums(hub.app)
  await makeInvoices.run(hub.app)
  await deliverDue(hub.app)
  await runDueBackup(hub.app)
  await hub.app.optimizeStore()
}

const addAdministrator = async (hub: FillHub, password: string): Promise<void> => {
  const { username, name } = administrator
  const first = `${password}-first`
  await hub.api('POST', '/api/user/', {
    ...{ username, password: first, display_name: name, role: 10 },
    email: `${username}@harborai.example`,
  })
  const cookie = await hub.signIn(username, first, '198.51.100.8')
  await hub.apiAs(cookie, 'PUT', '/api/user/self', { password, current_password: first })
}

export type Filled = {
  /** API keys that make the live traffic. */
  keys: { key: string; style: string }[]
}

/** Fills an empty database with two months of traffic. The second is as busy as today. */
export const fill = async (options: FillOptions): Promise<Filled> => {
  const { seed, end, vendorUrl, clock, passwords, report } = options
  const begin = end - days * daySeconds
  const hub = await openFillHub(options, begin, clock)
  try {
    const months = Array.from({ length: days + 1 }, (_, n) => begin + n * daySeconds)
    await hub.app.createLogMonths(months, end)
    const random = makeRandom(seed)
    const rows = await setUpSite(hub, vendorUrl)
    const gateways = await addGateways(hub, vendorUrl)
    await addAdministrator(hub, passwords.administrator)
    const { join, adopt } = await makeAccounts(hub, passwords.customers)
    const staff = [
      await adopt(rootPerson, options.rootPassword),
      await adopt(administrator, passwords.administrator),
    ]
    const world: World = {
      ...{ hub, random, rows, gateways, accounts: [...staff], codes: [], end, tasks: 0 },
      router: makeRouter(rows, end),
    }
    for (let daysAgo = days - 1; daysAgo >= 0; daysAgo -= 1) {
      await runDay(world, join, daysAgo)
      if (daysAgo === 30) {
        await addOffers(hub, vendorUrl)
        world.codes = await addCodes(hub)
      }
      if (daysAgo % 10 === 0) report(`${days - daysAgo} of ${days} days`)
    }
    await finish(world)
    return {
      keys: world.accounts
        .slice(staff.length, 16)
        .map(each => ({ key: each.keys[0]!, style: each.style })),
    }
  } finally {
    await hub.close()
  }
}
