import type { App } from './app.ts'

/** Recurring work. It may run twice, or on another node after a crash: write it so that this does not matter. */
export type Job = {
  name: string
  everySeconds: number
  run(app: App): Promise<unknown>
}

export const defineJob = (job: Job): Job => job

/** Work that is given to a job by its name, and what each is given. */
export type Queueable = { notify: Letter }

/** A message to a person. Plain text: whoever sends it makes of it what its channel can show. */
export type Letter = {
  to: string
  title: string
  paragraphs: string[]
  link?: { label: string; url: string }
}

/**
 * Queued work, by the name it is queued under. It is done at least once: a process that dies over it leaves it to the
 * next, which may do it a second time. Throwing means: try again later.
 */
export type QueuedJobs = {
  [J in keyof Queueable]: (app: App, payload: Queueable[J], key: string) => Promise<void>
}
