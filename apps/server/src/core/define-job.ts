import type { WorkQueue } from '../db/queries/work-queues.ts'
import type { Env } from '../env.ts'
import type { App } from './app.ts'

/** Recurring work. It may run twice, or again on another node after a crash, so it must be idempotent. */
export type Job = {
  name: string
  everySeconds: number
  /** Runs on every node instead of on one at a time. */
  everyNode?: boolean
  /** The rows that are its work. While none is due it sleeps, unless another node could write some. */
  queue?: WorkQueue
  run(app: App): Promise<unknown>
}

export const defineJob = (job: Job): Job => job

const storedSecondsMin = 60

/** Its due time is in the database: it runs rarely enough that a start would forget it, and a write per run is cheap. */
export const isStoredJob = ({ everySeconds, everyNode }: Job): boolean =>
  !everyNode && everySeconds >= storedSecondsMin

/** The payload of each kind of queued work, by its name. */
export type QueuePayloads = { notify: Notification }

/** A message to a person, in plain text. The notifier adds the markup that its medium supports. */
export type Notification = {
  to: string
  title: string
  paragraphs: string[]
  link?: { label: string; url: string }
}

/** A notification before it has a recipient. */
export type EmailText = Omit<Notification, 'to'>

/** The languages of e-mails. */
export type EmailLanguage = Env['language']

/**
 * The handler of each kind of queued work. It runs at least once: after a crash another process repeats it, and when it
 * throws it runs again later.
 */
export type QueueHandlers = {
  [J in keyof QueuePayloads]: (app: App, payload: QueuePayloads[J], key: string) => Promise<void>
}
