import { contract, Fault, type Log, logTypes } from '@hub/contract'
import { requireRight } from '../../core/accounts/money-rights.ts'
import type { App } from '../../core/app.ts'
import { implement, type SignedInUser } from '../../core/implement.ts'
import * as rows from '../../db/queries/logs.ts'
import { exportLogs } from './export.ts'
import { histogram } from './histogram.ts'
import { callCache, sessionCache } from './prompt-cache.ts'
import { receipt } from './receipt.ts'
import { route } from './route.ts'
import { checkGroup, search, suggestModels } from './search.ts'
import { listSessions } from './sessions.ts'
import { total } from './total.ts'

export const logs = implement(contract.logs, {
  list: (app, _caller, input) => search(app, input),
  self: async (app, { userId }, input) => {
    const { data, ...page } = await search(app, { ...input, userId })
    return { ...page, data: data.map(withoutChannels) }
  },
  models: (app, _caller, { keyword = '' }) => suggestModels(app, keyword, undefined),
  selfModels: (app, { userId }, { keyword = '' }) => suggestModels(app, keyword, userId),
  histogram: (app, _caller, input) => histogram(app, input),
  selfHistogram: (app, { userId }, input) => histogram(app, { ...input, userId }),
  export: (app, _caller, input) => {
    checkGroup(app, input)
    return exportLogs(app, input, true)
  },
  selfExport: (app, { userId }, input) => exportLogs(app, { ...input, userId }, false),
  sessions: (app, _caller, { user_id, ...page }) => listSessions(app, { ...page, userId: user_id }),
  selfSessions: (app, { userId }, page) => listSessions(app, { ...page, userId }),
  sessionCache: (app, _caller, input) => sessionCache(app, input),
  selfSessionCache: (app, { userId }, { session }) => sessionCache(app, { session, userId }),
  cache: async (app, caller, { id }) => callCache(app, await getLog(app, caller, id)),
  get: (app, caller, { id }) => getLog(app, caller, id),
  receipt: (app, caller, { id }) => receipt(app, caller, id),
  route: (app, _caller, { id }) => route(app, id),
  stat: async (app, _caller, { channel, ...input }) => {
    checkGroup(app, input)
    return total(app, { channel_id: channel, ...input })
  },
  selfStat: (app, { userId }, input) => total(app, { ...input, userId }),
  remove: (app, caller, { target_timestamp }) => {
    requireRight(app, caller, 'log_deletion')
    return rows.removeBefore(app.db, target_timestamp, [
      logTypes.consume,
      logTypes.error,
      logTypes.imported,
    ])
  },
})

const adminRole = 10

/** Reads one row. Rows of other users answer 404, except to administrators. */
const getLog = async (app: App, { userId, role }: SignedInUser, id: number): Promise<Log> => {
  const row = await rows.find(app.db, id)
  const isAdmin = role >= adminRole
  if (!row || (row.user_id !== userId && !isAdmin)) throw new Fault('resource.missing')
  return isAdmin ? rows.asLog(row) : withoutChannels(rows.asLog(row))
}

/** Users must not see which channel served them, nor which ones failed to. */
const withoutChannels = (log: Log): Log => {
  const { attempts: _, channel_key: __, route: ___, billing_tag: ____, ...metadata } = log.metadata
  return { ...log, channel_id: 0, channel: null, metadata }
}
