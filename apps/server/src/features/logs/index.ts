import { contract, logTypes } from '@hub/contract'
import { implement } from '../../core/implement.ts'
import * as rows from '../../db/queries/logs.ts'
import { receipt } from './receipt.ts'

export const logs = implement(contract.logs, {
  list: async (app, _caller, input) => {
    const page = await rows.list(app.db, input)
    return { ...page, data: page.data.map(rows.asLog) }
  },
  // Which channel served a user is the operator's business.
  self: async (app, { userId }, input) => {
    const page = await rows.list(app.db, { ...input, userId })
    const data = page.data.map(row => ({ ...rows.asLog(row), channel_id: 0, channel: null }))
    return { ...page, data }
  },
  receipt: (app, caller, { id }) => receipt(app, caller, id),
  stat: async (app, _caller, { channel, ...input }) => ({
    quota: await rows.sumQuota(app.db, { channel_id: channel, ...input }),
  }),
  selfStat: async (app, { userId }, input) => ({
    quota: await rows.sumQuota(app.db, { ...input, userId }),
  }),
  remove: (app, _caller, { target_timestamp }) =>
    rows.removeBefore(app.db, target_timestamp, logTypes.consume),
})
