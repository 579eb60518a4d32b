import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'

/** A plain counter that is copied to the registry on scrape, because `Counter.inc` hashes the labels on every call. */
export type CallCounter = { n: number }

type Sample = { labels: Record<string, string>; value: number }

export type ReadGauge = {
  name: string
  help: string
  labelNames?: readonly string[]
  read(): number | Sample[] | Promise<number | Sample[]>
}

export type Metrics = {
  /**
   * The registry, for a reader. Figures of the process are collected from the first read on, because they are sampled by a
   * timer that would wake a server at rest.
   */
  readRegistry(): Registry
  /**
   * Adds a counter of relay calls by operation, provider id and outcome (`ok` or a fault code), with who is at fault;
   * never by user, token or model. Call it once per combination and keep the result.
   */
  calls(operation: string, provider: string, outcome: string): CallCounter
  /** Adds a counter of attempts by channel id and outcome. Call it once per combination and keep the result. */
  channelAttempts(channel: string, outcome: string): CallCounter
  /** Attempts after the first one of a call. */
  retries: Counter
  /** Adds a gauge without work between scrapes: `read` runs on each of them. */
  addGauge(gauge: ReadGauge): void
  /** Seconds from the request to the first byte sent to the caller. */
  firstByte: Histogram<'operation'>
  /** Streams that run now. */
  streams: Gauge
  /** Age of the oldest pending ledger operation, in seconds. */
  ledgerLag: Gauge
  /** Points of completed calls that neither balance nor cap covered: `unbounded`, or `other`, which is an error. */
  shortfalls: Counter<'kind'>
  /** Upstream responses that need an operator's attention, by kind, such as missing or implausible usage. */
  alarms: Counter<'kind'>
  /** Failed calls without a log row: above the bound, or refused by the database. */
  errorLogsDropped: Counter
  /** Spans that did not fit into the queue, or that the collector refused. */
  spansDropped: Counter
  /** Console requests by route pattern; the metric names are One Hub's. */
  requests: Counter<'method' | 'path' | 'code'>
  requestSeconds: Histogram<'method' | 'path'>
  unhandledRejections: Counter
  /** 1 when this Node.js version lacks a published security fix. */
  runtimeOutdated: Gauge
  jobRuns: Counter<'job' | 'outcome'>
}

/** The event loop is woken this often to measure its delay, which is reported with this interval included. */
const eventLoopSampleMs = 100

/** Each kind begins at 0, so that alerts see the increase to its first value. */
const withKinds = (kinds: readonly string[], counter: Counter<'kind'>): Counter<'kind'> => {
  for (const kind of kinds) counter.inc({ kind }, 0)
  return counter
}

const makeReader = (registry: Registry) => {
  let isCollecting = false
  return () => {
    if (!isCollecting)
      collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: eventLoopSampleMs })
    isCollecting = true
    return registry
  }
}

/** `lag` returns milliseconds and is read on each scrape. */
export const makeMetrics = (lag: () => number): Metrics => {
  const registry = new Registry()
  const registers = [registry]
  return {
    readRegistry: makeReader(registry),
    ...makeCallMetrics(registers),
    addGauge: gauge => addGauge(registers, gauge),
    firstByte: new Histogram({
      name: 'hub_first_byte_seconds',
      help: 'From the request to the first byte for the caller',
      labelNames: ['operation'],
      buckets: [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2, 5, 10, 30, 60, 120],
      registers,
    }),
    streams: new Gauge({ name: 'hub_streams', help: 'Running streams', registers }),
    ledgerLag: new Gauge({
      name: 'hub_ledger_lag_seconds',
      help: 'How long the oldest unanswered ledger operation waits',
      registers,
      collect() {
        this.set(lag() / 1000)
      },
    }),
    shortfalls: withKinds(
      ['other', 'unbounded'],
      new Counter({
        name: 'hub_shortfall_points_total',
        help: 'Points that finished answers cost beyond what could be taken',
        labelNames: ['kind'],
        registers,
      }),
    ),
    alarms: new Counter({
      name: 'hub_alarms_total',
      help: 'Upstream answers whose usage could not be believed',
      labelNames: ['kind'],
      registers,
    }),
    errorLogsDropped: new Counter({
      name: 'hub_error_logs_dropped_total',
      help: 'Failed calls that have no log row',
      registers,
    }),
    spansDropped: new Counter({
      name: 'hub_spans_dropped_total',
      help: 'Spans that were not exported',
      registers,
    }),
    requests: new Counter({
      name: 'http_requests_total',
      help: 'Console requests',
      labelNames: ['method', 'path', 'code'],
      registers,
    }),
    requestSeconds: new Histogram({
      name: 'http_request_duration_seconds',
      help: 'Duration of console requests',
      labelNames: ['method', 'path'],
      registers,
    }),
    unhandledRejections: new Counter({
      name: 'hub_unhandled_rejections_total',
      help: 'Rejections that nobody handled',
      registers,
    }),
    runtimeOutdated: new Gauge({
      name: 'hub_runtime_outdated',
      help: '1 where this Node lacks a published security fix',
      registers,
    }),
    jobRuns: new Counter({
      name: 'hub_job_runs_total',
      help: 'Runs of recurring jobs',
      labelNames: ['job', 'outcome'],
      registers,
    }),
  }
}

const makeCallMetrics = (registers: Registry[]) => ({
  calls: makeTally(registers, {
    name: 'hub_calls_total',
    help: 'Relay calls',
    labelNames: ['operation', 'provider', 'outcome', 'at_fault'],
  }),
  channelAttempts: makeTally(registers, {
    name: 'hub_channel_attempts_total',
    help: 'Attempts of calls at a channel',
    labelNames: ['channel', 'outcome', 'at_fault'],
  }),
  retries: new Counter({
    name: 'hub_retries_total',
    help: 'Attempts after the first one of a call',
    registers,
  }),
})

/** Refusals by a provider that a caller caused. */
const callerOutcomes: readonly string[] = ['upstream.caller', 'upstream.context']

/** Names who must act on an outcome. Alerts leave out callers, since any caller may send what cannot be served. */
export const atFault = (outcome: string): 'none' | 'caller' | 'gateway' | 'provider' => {
  if (outcome === 'ok') return 'none'
  if (/^server\.|^channel\.none$/.test(outcome)) return 'gateway'
  const isProvider = /^upstream\.|^stream\.too_long$/.test(outcome)
  return isProvider && !callerOutcomes.includes(outcome) ? 'provider' : 'caller'
}

type TallyOptions = { name: string; help: string; labelNames: readonly string[] }

const makeTally = (registers: Registry[], options: TallyOptions) => {
  const tallies: (CallCounter & { labels: Record<string, string> })[] = []
  const { labelNames } = options
  new Counter({
    ...options,
    labelNames: [...labelNames],
    registers,
    collect() {
      this.reset()
      for (const { labels, n } of tallies) this.inc(labels, n)
    },
  })
  return (...values: string[]): CallCounter => {
    const all = [...values, atFault(values.at(-1)!)]
    const labels = Object.fromEntries(labelNames.map((name, index) => [name, all[index]!]))
    const tally = { n: 0, labels }
    tallies.push(tally)
    return tally
  }
}

const readMsMax = 2_000

/** A gauge that cannot be read, for example while the database is away, has no sample. The others are served. */
const settledWithin = async (
  read: ReadGauge['read'],
  milliseconds: number,
): Promise<number | Sample[]> => {
  const limit = AbortSignal.timeout(milliseconds)
  const timedOut = new Promise<Sample[]>(resolve =>
    limit.addEventListener('abort', () => resolve([]), { once: true }),
  )
  try {
    return await Promise.race([read(), timedOut])
  } catch {
    return []
  }
}

const addGauge = (registers: Registry[], { name, help, labelNames = [], read }: ReadGauge) => {
  new Gauge({
    name,
    help,
    labelNames: [...labelNames],
    registers,
    async collect() {
      const value = await settledWithin(read, readMsMax)
      if (typeof value === 'number') return this.set(value)
      this.reset()
      // Without labels it would be 0, which is a figure.
      if (labelNames.length === 0) this.remove()
      for (const each of value) this.set(each.labels, each.value)
    },
  })
}
