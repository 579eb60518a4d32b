import { Fault } from '@hub/contract'
import type { App } from './core/app.ts'
import { makeMetrics } from './core/metrics.ts'
import type { Store } from './db/index.ts'
import { openStore } from './db/open.ts'
import * as options from './db/queries/options.ts'
import type { Env } from './env.ts'
import { sealStoredChannels } from './features/channels/seal-stored.ts'
import { makeLogger } from './lib/logger.ts'
import { makeRecentLines } from './lib/recent-lines.ts'
import { makeSealer } from './lib/seal.ts'
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
  const state = await openState({ redisUrl: env.redisUrl, log })
  const logFailure = (error: unknown) =>
    log.warn({ err: error }, 'a change notification could not be handled yet')
  const topics = await openChangeNotifications(store.callDb, { onError: logFailure })
  const settings = await openSettings(store.callDb, topics, log)
  const running = { isStopping: false, isAccepting: true }
  const app: App = {
    env,
    db: store.db,
    callDb: store.callDb,
    ledger: store.ledger,
    maintainStore: store.maintain,
    optimizeStore: store.optimize,
    state,
    changes: topics,
    settings: settings.current,
    reloadSettings: settings.reload,
    seal: makeSealer(env.masterKey),
    ...{ log, recentLines },
    metrics: makeMetrics(() => store.ledger.lag()),
    now: now ?? Date.now,
    monotonic: () => performance.now(),
    stopping: () => running.isStopping,
    accepting: () => running.isAccepting,
  }
  const closeStores = async () => {
    await topics.close()
    await store.close()
    await state.close()
  }
  const checkStore = async () => {
    await checkMasterKey(app)
    await sealStoredChannels(app)
  }
  await checkStore().catch(async error => {
    await closeStores()
    throw error
  })
  return { app, store, running, closeStores }
}

const probe = 'MasterKeyProbe'
const probeContext = `options.value:${probe}`

/** Refuses a database sealed with another master key, whose channel keys would be lost on the next save. */
const checkMasterKey = async (app: App) => {
  const read = () => options.find(app.db, probe)
  let sealed = await read()
  if (sealed === undefined) {
    // Another node may start at the same moment, with another key: the first one counts.
    await options.writeFirst(app.db, probe, app.seal.seal('master-key', probeContext, probe))
    sealed = await read()
  }
  try {
    app.seal.open('master-key', probeContext, sealed ?? '')
  } catch (cause) {
    throw new Fault('env.invalid', {
      hint: 'MASTER_KEY (or master.key in DATA_DIR) is not the one this database was sealed with. Restore the right one.',
      cause,
    })
  }
}
