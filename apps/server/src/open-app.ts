import type { App } from './core/app.ts'
import { makeMetrics } from './core/metrics.ts'
import { openSealer } from './core/secrets/master-key.ts'
import { Telemetry } from './core/telemetry/telemetry.ts'
import type { Store } from './db/index.ts'
import { openStore } from './db/open.ts'
import type { Env } from './env.ts'
import { sealStoredChannels } from './features/channels/seal-stored.ts'
import { makeLogger } from './lib/logger.ts'
import { makeRecentLines } from './lib/recent-lines.ts'
import { openSettings } from './settings/index.ts'
import { openChangeNotifications } from './state/change-notifications.ts'
import { openState } from './state/index.ts'

export type OpenApp = {
  app: App
  store: Store
  /** Set by the owner of the process when it is asked to stop. */
  running: { isStopping: boolean; isAccepting: boolean }
  closeStores(): Promise<void>
}

const openLog = (env: Env) => {
  const recentLines = makeRecentLines()
  return { log: makeLogger({ level: env.logLevel, recentLines }), recentLines }
}

/** Opens the stores and the services of an app. It serves nothing and runs no job yet. */
export const openApp = async (env: Env, { now }: { now?: () => number } = {}): Promise<OpenApp> => {
  const { log, recentLines } = openLog(env)
  const store = await openStore({ databaseUrl: env.databaseUrl, dataDir: env.dataDir, log })
  const seal = await openSealer(store.db, env.masterKey, env.newMasterKeyFile).catch(
    async error => {
      await store.close()
      throw error
    },
  )
  const state = await openState({ redisUrl: env.redisUrl, log })
  const logFailure = (error: unknown) =>
    log.warn({ err: error }, 'a change notification could not be handled yet')
  const topics = await openChangeNotifications(store.callDb, {
    quiet: store,
    onError: logFailure,
  })
  const settings = await openSettings(store.callDb, topics, log)
  const metrics = makeMetrics(() => store.ledger.lag())
  const clocks = { now: now ?? Date.now, monotonic: () => performance.now() }
  const running = { isStopping: false, isAccepting: true }
  const app: App = {
    env,
    db: store.db,
    callDb: store.callDb,
    ledger: store.ledger,
    ...{ nodes: store.nodes, onWrite: store.onWrite },
    maintainStore: store.maintain,
    createLogMonths: store.createLogMonths,
    dropLogMonths: store.dropLogMonths,
    optimizeStore: store.optimize,
    state,
    changes: topics,
    settings: settings.current,
    reloadSettings: settings.reload,
    seal,
    ...{ log, recentLines },
    metrics,
    telemetry: env.telemetry && new Telemetry({ ...clocks, metrics, log, options: env.telemetry }),
    ...clocks,
    stopping: () => running.isStopping,
    accepting: () => running.isAccepting,
  }
  const closeStores = async () => {
    await Promise.all([topics.close(), state.close()])
    await store.close()
  }
  await sealStoredChannels(app).catch(async error => {
    await closeStores()
    throw error
  })
  return { app, store, running, closeStores }
}
