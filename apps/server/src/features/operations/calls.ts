import { type CallEnd, type LiveCalls, logTypes } from '@hub/contract'
import type { App } from '../../core/app.ts'
import { withDeadline } from '../../db/engines/deadline.ts'
import { listLatestCalls } from '../../db/queries/usage-logs.ts'

const callsMax = 30
/** Rows are written up to some seconds after the time that they bear, so that these seconds are read again. */
const lateSeconds = 5

/** The latest calls of all users, newest first, from a few seconds before `since` on. */
export const latestCalls = async (app: App, since: number | undefined): Promise<LiveCalls> => {
  const from = since === undefined ? 0 : since - lateSeconds
  const rows = await withDeadline(app.db, db => listLatestCalls(db, from, callsMax))
  return {
    calls: rows.map(({ type, content, metadata, channel_name, is_stream, ...row }) => {
      const { finish, count } = JSON.parse(metadata) as { finish?: CallEnd; count?: number }
      const isFailed = type === logTypes.error
      return {
        ...row,
        is_stream: is_stream === 1,
        channel: channel_name ?? '',
        code: isFailed ? content : '',
        finish: isFailed ? null : (finish ?? null),
        count: isFailed ? (count ?? 1) : 1,
      }
    }),
  }
}
