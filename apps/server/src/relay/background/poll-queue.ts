import { type App, nowSeconds } from '../../core/app.ts'
import type { Database } from '../../db/index.ts'

type PolledRow = { created_at: number; attempts: number }

/** Rows of work that a vendor ends some time, and how they are leased. */
export type PollQueue<Row extends PolledRow> = {
  isDue(db: Database, now: number): Promise<boolean>
  lease(db: Database, now: number, until: number): Promise<Row | undefined>
  putBack(db: Database, row: Row, runAt: number): Promise<unknown>
  /** Rows that are polled at once. */
  concurrency: number
  /** Longer than one poll may last. */
  leaseSeconds: number
  /** After this nobody will know the end. */
  lostAfterSeconds: number
  /** Asks the vendor; resolves with true once the row is charged, or will never be. */
  poll(app: App, row: Row): Promise<boolean>
  giveUp(app: App, row: Row, reason: string): Promise<void>
  warn(app: App, row: Row, error: unknown): void
}

const waitSecondsMax = 60

/** Polls the rows that are due. Each has a lease, so that one node polls it at a time. */
export const pollDue = async <Row extends PolledRow>(
  app: App,
  queue: PollQueue<Row>,
): Promise<void> => {
  while (!app.stopping()) {
    const rows: Row[] = []
    const now = nowSeconds(app)
    if (!(await queue.isDue(app.db, now))) return
    while (rows.length < queue.concurrency) {
      const row = await queue.lease(app.db, now, now + queue.leaseSeconds)
      if (!row) break
      rows.push(row)
    }
    if (rows.length === 0) return
    await Promise.all(rows.map(row => pollAndReschedule(app, queue, row)))
  }
}

const pollAndReschedule = async <Row extends PolledRow>(
  app: App,
  queue: PollQueue<Row>,
  row: Row,
): Promise<void> => {
  const isOver = await queue.poll(app, row).catch((error: unknown) => {
    queue.warn(app, row, error)
    return false
  })
  if (isOver) return
  if (nowSeconds(app) - row.created_at > queue.lostAfterSeconds)
    return queue.giveUp(app, row, 'too old')
  const wait = Math.min(waitSecondsMax, 2 ** Math.min(row.attempts, 6))
  await queue.putBack(app.db, row, nowSeconds(app) + wait)
}
