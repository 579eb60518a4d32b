import { setTimeout as sleep } from 'node:timers/promises'
import { ask, estimatedTokens, type ObservedCall, unlimitedAgent } from '../client.ts'
import { chargesOf, type Transfer } from '../ledger.ts'
import { until } from '../runner/until.ts'
import type { TestHub } from '../test-hub.ts'

export const startingBalance = 1_000_000_000

/** A small generator with a seed, so that a round that failed can be run again. */
export const seeded = (seed: number) => {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

export type CrashReport = {
  calls: number
  complete: number
  broken: number
  /** Complete answers without their charge. */
  lost: string[]
  /** Requests with more than one charge, or a charge for a call that the vendor never saw. */
  doubled: string[]
  /** Charges above what the whole answer costs. */
  over: string[]
  /** The most points that a broken call was charged less than its pieces, as received by the client. */
  worstUnder: number
  /** Rounds that could not be finished, or where the auditor found something: each with the seed that repeats it. */
  failed: string[]
}

export const isSound = ({ lost, doubled, over, failed }: CrashReport): boolean =>
  lost.length + doubled.length + over.length + failed.length === 0

export const sumReports = (reports: CrashReport[]): CrashReport => {
  const add = (of: (each: CrashReport) => number) =>
    reports.reduce((sum, each) => sum + of(each), 0)
  return {
    calls: add(each => each.calls),
    complete: add(each => each.complete),
    broken: add(each => each.broken),
    lost: reports.flatMap(each => each.lost),
    doubled: reports.flatMap(each => each.doubled),
    over: reports.flatMap(each => each.over),
    worstUnder: Math.max(0, ...reports.map(each => each.worstUnder)),
    failed: reports.flatMap(each => each.failed),
  }
}

/** The models of a crash: long enough that most calls are under way when the process dies. */
const models = [
  'any:in=20;out=30;every=8',
  'any:in=15;out=200;every=4',
  'times:out=5;every=3',
  'any:in=5;out=3',
]
const costOf = (model: string): number => {
  if (model.startsWith('times')) return 1000
  const [, prompt, output] = /in=(\d+);out=(\d+)/.exec(model) ?? []
  return Number(prompt) + Number(output)
}

/** Upper bound of a broken call's charge: without the vendor's usage, pieces and prompt are estimated. */
const boundOf = ({ model, complete }: TrafficCall): number =>
  complete || model.startsWith('times') ? costOf(model) : estimatedTokens(costOf(model)) + 60

type TrafficCall = ObservedCall & { model: string; stream: boolean }

/** Keeps `inFlight` calls running, half of them streams, until `stop` is called. Returns the observed calls. */
const traffic = (hub: TestHub, key: string, inFlight: number, random: () => number) => {
  const seen: TrafficCall[] = []
  const agent = unlimitedAgent()
  let stopped = false
  const client = async (at: number) => {
    while (!stopped) {
      const model = models[Math.floor(random() * models.length)] ?? ''
      const stream = at % 2 === 0
      const call = await ask({ url: hub.gateway.url, key, model, stream, agent })
      seen.push({ ...call, model, stream })
      if (call.broken || call.status >= 500) await sleep(20)
    }
  }
  const clients = Array.from({ length: inFlight }, (_, at) => client(at))
  return {
    seen,
    stop: async () => {
      stopped = true
      await Promise.all(clients)
      agent.destroy()
    },
  }
}

type Options = {
  rounds: number
  inFlight: number
  /** The first round's; each one after has the next. */
  seed: number
  /** Breaks the system and restores it; absent: SIGKILL for the gateway alone. Load stops while nothing answers. */
  crash?: Crash
  onRound?: (at: number) => void
}

export type Crash = (
  hub: TestHub,
  stopLoad: () => Promise<void>,
  random: () => number,
) => Promise<void>

const crashGateway: Crash = async ({ gateway }, stopLoad) => {
  gateway.signal('SIGKILL')
  await gateway.exited()
  await stopLoad()
  await gateway.start()
}

const firstComplete = (seen: readonly TrafficCall[]) =>
  until('a response is complete', () => seen.some(each => each.complete))

/** Breaks it at random instants, starts it again on the same data, and compares the three logs at the end. */
export const crashRounds = async (hub: TestHub, options: Options): Promise<CrashReport> => {
  const { rounds, inFlight, seed, crash = crashGateway } = options
  const person = await hub.admin.addPerson(startingBalance)
  const seen: TrafficCall[] = []
  const failed: string[] = []
  for (let round = 0; round < rounds; round += 1) {
    const random = seeded(seed + round)
    const load = traffic(hub, person.key, inFlight, random)
    try {
      // Every other round waits for a complete answer, since a machine under load gives few in so short a time.
      if (round % 2 === 0) await firstComplete(load.seen)
      await sleep(150 + random() * 700)
      await crash(hub, load.stop, random)
      // The sweep finds holds without a call a minute later.
      await hub.settled()
      await hub.audit()
    } catch (error) {
      failed.push(`seed ${seed + round}: ${(error as Error).message}`)
      await crashGateway(hub, load.stop, random).catch(() => undefined)
    } finally {
      seen.push(...load.seen)
    }
    options.onRound?.(round + 1)
  }
  return { ...compare(hub, seen, await chargesOf(hub.gateway, person.id)), failed }
}

const compare = (
  hub: TestHub,
  seen: TrafficCall[],
  charges: Transfer[],
): Omit<CrashReport, 'failed'> => {
  const byId = Map.groupBy(charges, each => each.id)
  const whole = seen.filter(each => each.complete)
  const broken = seen.filter(each => !each.complete)
  const servedMarks = new Set(hub.upstream.served.map(each => each.mark))
  const marksById = new Map(
    seen.filter(each => each.requestId).map(each => [Number(each.requestId), each]),
  )

  const lost = whole
    .filter(each => byId.get(Number(each.requestId))?.length !== 1)
    .map(each => `${each.requestId} ${each.model}`)
  const doubled = [...byId]
    .filter(
      ([id, rows]) =>
        rows.filter(row => row.kind === 'request').length > 1 ||
        (marksById.has(id) && !servedMarks.has(marksById.get(id)?.mark ?? '')),
    )
    .map(([id]) => String(id))
  const amountOf = (id: string) =>
    (byId.get(Number(id)) ?? []).reduce((sum, each) => sum + each.amount, 0)
  const over = seen
    .filter(each => each.requestId && amountOf(each.requestId) > boundOf(each))
    .map(each => `${each.requestId} ${each.model}: ${amountOf(each.requestId)}`)
  const wrong = whole
    .filter(each => amountOf(each.requestId) !== costOf(each.model))
    .map(each => `${each.requestId} ${each.model}: charged ${amountOf(each.requestId)}`)
  const under = broken
    .filter(each => each.requestId && each.pieces > 0 && each.model.startsWith('any'))
    .map(each => each.pieces - amountOf(each.requestId))
  const stray = charges.length > hub.upstream.served.length ? ['more charges than calls'] : []

  return {
    calls: seen.length,
    complete: whole.length,
    broken: broken.length,
    lost,
    doubled: [...doubled, ...stray],
    over: [...over, ...wrong],
    worstUnder: Math.max(0, ...under),
  }
}
