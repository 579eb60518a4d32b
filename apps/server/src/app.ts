import type { AddressInfo } from 'node:net'
import { resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Fault } from '@hub/contract'
import type { FastifyInstance } from 'fastify'
import pino from 'pino'
import { startBilling } from './billing/start.ts'
import type { App } from './core/app.ts'
import { makeMetrics } from './core/metrics.ts'
import { openStore } from './db/open.ts'
import * as options from './db/queries/options.ts'
import type { Env } from './env.ts'
import { features } from './features/index.ts'
import { makeFirstRoot } from './features/users/first-root.ts'
import { buildServer } from './http/server.ts'
import { jobs } from './jobs/index.ts'
import { startJobs } from './jobs/runner.ts'
import { saferRuntime } from './lib/runtime.ts'
import { makeSealer } from './lib/seal.ts'
import { drain, registerRelay } from './relay/index.ts'
import { openSettings } from './settings/index.ts'
import { openState } from './state/index.ts'
import { openTopics } from './state/topics.ts'

export type RunningApp = {
  app: App
  fastify: FastifyInstance
  /** The password that was made up for the first administrator, on the very first start only. */
  firstPassword: string | undefined
  /** Opens the doors; answers the port, which the system chooses for port 0. */
  listen(): Promise<number>
  /** Lets what runs end until the deadline, settles everything, and gives everything back. */
  close(deadlineSeconds: number): Promise<void>
}

type Choices = {
  /** The wall clock, milliseconds. */
  now?: () => number
  /** How long load balancers get to see that this node is not ready any more, before it stops accepting. */
  acceptDelayMilliseconds?: number
}

const consoleRoot = resolve(import.meta.dirname, '../../console/dist')

/** Everything a gateway needs, from one environment. Nothing listens yet. */
export const buildApp = async (env: Env, choices: Choices = {}): Promise<RunningApp> => {
  const log = makeLog(env)
  const store = await openStore({ databaseUrl: env.databaseUrl, dataDir: env.dataDir, log })
  const state = await openState({ redisUrl: env.redisUrl, log })
  const failed = (error: unknown) => log.warn({ err: error }, 'a change could not be followed yet')
  const topics = await openTopics(store.db, { failed })
  const settings = await openSettings(store.db, topics, log)
  let isStopping = false
  const app: App = {
    env,
    db: store.db,
    ledger: store.ledger,
    maintainStore: store.maintain,
    state,
    topics,
    settings: settings.current,
    reloadSettings: settings.reload,
    seal: makeSealer(env.masterKey),
    log,
    metrics: makeMetrics(() => store.ledger.lag()),
    now: choices.now ?? Date.now,
    monotonic: () => performance.now(),
    stopping: () => isStopping,
  }
  const giveBack = async () => {
    await topics.close()
    await store.close()
    await state.close()
  }
  await refuseForeignMasterKey(app).catch(async error => {
    await giveBack()
    throw error
  })
  warnOfRuntime(app)
  const firstPassword = await makeFirstRoot(app)
  const billing = await startBilling(app)
  const fastify = await buildServer(app, { features, relay: registerRelay, consoleRoot })
  const runner = startJobs(app, jobs)

  const listen = async () => {
    await fastify.listen({ port: env.port, host: env.host, backlog: connectionsWaiting })
    return (fastify.server.address() as AddressInfo).port
  }
  const close = async (deadlineSeconds: number) => {
    isStopping = true
    await sleep(choices.acceptDelayMilliseconds ?? 0)
    await closeServer(app, fastify, deadlineSeconds)
    await runner.stop()
    await billing.stop()
    await giveBack()
  }
  return { app, fastify, firstPassword, listen, close }
}

/**
 * Connections that may wait until they are taken; the system's own bound is below it or the same. Node's 511 drops the
 * rest of a thousand that come at once, and each of those asks again only a second later.
 */
const connectionsWaiting = 4096

/** Credentials never reach a log, whoever logs a request or an error by mistake. */
const makeLog = (env: Env) =>
  pino({
    level: env.logLevel,
    base: null,
    redact: {
      paths: [
        'password',
        'key',
        'token',
        '*.password',
        '*.key',
        '*.token',
        'req.headers',
        'headers',
      ],
      censor: '[redacted]',
    },
  })

/** No new connection, and those that run get until the deadline; then the relay ends them with an error and settles. */
const closeServer = async (app: App, fastify: FastifyInstance, deadlineSeconds: number) => {
  const closed = fastify.close()
  await drain(app, app.monotonic() + deadlineSeconds * 1000)
  const rest = setTimeout(() => fastify.server.closeAllConnections(), lastAnswersMilliseconds)
  await closed
  clearTimeout(rest)
}

/** What may still be on its way to a caller when every call is settled. */
const lastAnswersMilliseconds = 1000

const probe = 'MasterKeyProbe'
const probeContext = `options.value:${probe}`

/** A restored database with another master key must not start: it would lose every channel key on the next save. */
const refuseForeignMasterKey = async (app: App) => {
  const sealed = await options.find(app.db, probe)
  if (sealed === undefined)
    return options.write(app.db, probe, app.seal.seal('master-key', probeContext, probe))
  try {
    app.seal.open('master-key', probeContext, sealed)
  } catch (cause) {
    throw new Fault('env.invalid', {
      hint: 'MASTER_KEY (or master.key in DATA_DIR) is not the one this database was sealed with. Restore the right one.',
      cause,
    })
  }
}

const warnOfRuntime = ({ log, metrics }: App) => {
  const safer = saferRuntime(process.version)
  metrics.runtimeOutdated.set(safer ? 1 : 0)
  if (safer) log.warn(`Node ${process.version} lacks published security fixes; ${safer} has them.`)
}
