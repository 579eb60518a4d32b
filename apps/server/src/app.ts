import type { AddressInfo } from 'node:net'
import { resolve } from 'node:path'
import { Fault } from '@hub/contract'
import type { FastifyInstance } from 'fastify'
import { addHoldGauges, startBilling } from './billing/start.ts'
import { closeApp } from './close-app.ts'
import type { App } from './core/app.ts'
import type { Job } from './core/define-job.ts'
import type { Store } from './db/index.ts'
import type { Env } from './env.ts'
import { features } from './features/index.ts'
import { startTelegramBot } from './features/telegram/service.ts'
import { makeFirstRoot } from './features/users/first-root.ts'
import { buildServer } from './http/server.ts'
import { jobs } from './jobs/index.ts'
import { startJobs } from './jobs/runner.ts'
import { saferRuntime } from './lib/runtime/safer-version.ts'
import { version } from './lib/runtime/version.ts'
import { openApp } from './open-app.ts'
import { publicRoutes } from './public-routes.ts'
import { loadChannels, registerRelay, removeSpoolLeftovers } from './relay/index.ts'
import { addSocketGauge } from './sockets/sessions.ts'
import { createUpgradeFinder } from './sockets/upgrades.ts'

export type RunningApp = {
  app: App
  fastify: FastifyInstance
  /** Starts to listen. Returns the port, which the system chooses for port 0. */
  listen(): Promise<number>
  /** Gives back what the store keeps in memory only to be faster. */
  releaseMemory(): Promise<void>
  /** Waits for running calls and jobs until the deadline, settles all calls, and closes every connection. */
  close(deadlineSeconds: number): Promise<void>
}

type AppOptions = {
  /** Wall clock in milliseconds; for tests. */
  now?: () => number
  /** Recurring work. Absent: all of it. Tests run jobs by hand, since one that runs by itself may take the work first. */
  jobs?: readonly Job[]
  /** Resolves when load balancers have had time to see that this node is not ready. Until then it serves new calls. */
  waitForBalancers?: () => Promise<unknown>
  /** Shows the generated password of the first administrator. Called before it is committed. */
  announceFirstPassword?: (password: string) => void
}

const consoleRoot = resolve(import.meta.dirname, '../../console/dist')

/** Builds the app from the environment. It does not listen yet. */
export const buildApp = async (env: Env, options: AppOptions = {}): Promise<RunningApp> => {
  const { app, store, running, closeStores } = await openApp(env, options)
  warnAboutRuntime(app)
  addServiceGauges(app, store)
  addHoldGauges(app)
  addSocketGauge(app)
  await makeFirstRoot(app, options.announceFirstPassword ?? (() => {})).catch(async error => {
    await closeStores()
    throw error
  })
  await removeSpoolLeftovers(app)
  const billing = await startBilling(app)
  const fastify = await buildServer(app, {
    features,
    relay: (owner, scope) => registerRelay(owner, scope, publicRoutes),
    upgrades: createUpgradeFinder,
    consoleRoot,
  })
  const background = startBackground(app, options.jobs ?? jobs)

  const listen = async () => {
    await loadChannels(app)
    await fastify
      .listen({ port: env.port, host: env.host, backlog: acceptBacklog })
      .catch(error => {
        throw listenFault(env, error)
      })
    return (fastify.server.address() as AddressInfo).port
  }
  const closing = {
    ...{ app, running, closeStores, fastify },
    stopBackground: background.stop,
    stopBilling: billing.stop,
    waitForBalancers: options.waitForBalancers,
  }
  const close = (deadlineSeconds: number) => closeApp(closing, deadlineSeconds)
  return { app, fastify, listen, releaseMemory: store.releaseMemory, close }
}

const startBackground = (app: App, work: readonly Job[]) => {
  const runner = startJobs(app, work)
  const telegramBot = startTelegramBot(app)
  app.telemetry?.start()
  const stop = async () => {
    await Promise.all([telegramBot.stop(), runner.stop()])
  }
  return { stop }
}

const foreignHost = 'is no address of this machine. Set HOST to one of its own, or leave it out.'

const listenErrors: Record<string, string> = {
  EADDRINUSE: 'is in use by another program. Stop it, or set PORT to another number.',
  EACCES: 'is not allowed for this user. Set PORT to a number from 1024.',
  EADDRNOTAVAIL: foreignHost,
  ENOTFOUND: foreignHost,
  EAI_AGAIN: foreignHost,
}

const listenFault = ({ port, host }: Env, error: NodeJS.ErrnoException): unknown => {
  const sentence = listenErrors[error.code ?? '']
  if (!sentence) return error
  return new Fault('env.invalid', { hint: `PORT ${port} on ${host} ${sentence}`, cause: error })
}

/**
 * Length of the accept queue; the system may lower it. With Node's default of 511, a burst of a thousand connections
 * overflows it, and the dropped ones retry only after a second.
 */
const acceptBacklog = 4096

const warnAboutRuntime = ({ log, metrics }: App) => {
  const safer = saferRuntime(process.version)
  metrics.runtimeOutdated.set(safer ? 1 : 0)
  if (!safer) return
  log.warn(
    `Node ${process.version} lacks published security fixes. Install Node ${safer} or later of its line and start again with it.`,
  )
}

const addServiceGauges = ({ env, metrics, state }: App, store: Store) => {
  metrics.addGauge({
    name: 'hub_build_info',
    help: 'Always 1; the labels name the version and the Node.js version',
    labelNames: ['version', 'node'],
    read: () => [{ labels: { version, node: process.version }, value: 1 }],
  })
  metrics.addGauge({
    name: 'hub_journal_bytes',
    help: 'Ends of calls in the journal that are not in the database yet',
    read: () => store.stats().journalBytes,
  })
  if (env.redisUrl)
    metrics.addGauge({
      name: 'hub_redis_up',
      help: '1 while Redis answers',
      read: async () => ((await state.isAnswering()) ? 1 : 0),
    })
  if (!env.databaseUrl) return
  metrics.addGauge({
    name: 'hub_database_connections_in_use',
    help: 'Connections that run a query, by pool',
    labelNames: ['pool'],
    read: () => store.stats().pools.map(({ pool, inUse }) => ({ labels: { pool }, value: inUse })),
  })
  metrics.addGauge({
    name: 'hub_database_waiting',
    help: 'Queries that wait for a connection, by pool',
    labelNames: ['pool'],
    read: () =>
      store.stats().pools.map(({ pool, waiting }) => ({ labels: { pool }, value: waiting })),
  })
}
