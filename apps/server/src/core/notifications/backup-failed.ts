import type { Database } from '../../db/index.ts'
import { administrators } from '../../db/queries/notification-targets.ts'
import type { App } from '../app.ts'
import { emit } from './emit.ts'

type FailedBackup = {
  /** Identifies the run, for example the second it was due. One run is notified once, whichever nodes report it. */
  run: string | number
  /** A sentence without secrets, which the message shows. */
  reason: string
}

/** Queues the notice of a failed backup for the administrators. `tx` may be `app.db`, as no other fact is committed. */
export const emitBackupFailed = (
  app: Pick<App, 'now'>,
  tx: Database,
  { run, reason }: FailedBackup,
): Promise<void> =>
  emit(app, tx, {
    event: 'backup.failed',
    key: `backup.failed:${run}`,
    userIds: [administrators],
    // PostgreSQL refuses NUL in a text.
    facts: { reason: reason.replaceAll('\0', '').slice(0, 500) },
  })
