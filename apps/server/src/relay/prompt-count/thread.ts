import { Fault } from '@hub/contract'
import type { PromptCount } from '@hub/dialects/prompt-count'
import type { App } from '../../core/app.ts'
import { appScoped } from '../../core/app-scoped.ts'
import { timers } from '../../core/timers.ts'
import { startWorkerThread, type WorkerThread } from '../../lib/runtime/worker-thread.ts'

export type CountTask = {
  body: Uint8Array
  /** The format of the endpoint that counts. */
  format: string
  model: string
  /** By a tokenizer; otherwise by scripts, which takes a tenth of the time. */
  isExact: boolean
}

/** An idle thread is ended, because its vocabulary takes memory. */
const idleMs = 60_000
/** Longer than any prompt takes; a charge does not wait longer for it. */
const deadlineMs = 30_000

type Counter = {
  thread: WorkerThread<CountTask, PromptCount> | undefined
  /** The last of the counts that were asked for: one is made at a time. */
  last: Promise<unknown>
  waiting: number
}

const counterOf = appScoped(
  (): Counter => ({ thread: undefined, last: Promise.resolve(), waiting: 0 }),
)

/** Counts in a thread of its own, one prompt after another, so that at most one body is copied. */
export const countInThread = (app: App, task: CountTask): Promise<PromptCount> => {
  const counter = counterOf(app)
  counter.waiting += 1
  const counted = counter.last.then(() => send(app, counter, task))
  counter.last = counted.catch(() => undefined).then(() => endWhenIdle(app, counter))
  return withDeadline(app, counted)
}

const send = (app: App, counter: Counter, { body, ...task }: CountTask): Promise<PromptCount> => {
  counter.thread ??= start(counter)
  const { thread } = counter
  // A part of a larger buffer would be cloned with all of that.
  const isWhole = body.byteLength === body.buffer.byteLength
  const sent = thread.send({ ...task, body: isWhole ? body : new Uint8Array(body) })
  return withDeadline(app, sent, () => {
    // Whatever holds it up, the next prompt has a thread of its own.
    counter.thread = undefined
    void thread.terminate()
  })
}

const start = (counter: Counter): WorkerThread<CountTask, PromptCount> => {
  const thread: WorkerThread<CountTask, PromptCount> = startWorkerThread(
    new URL('./worker.ts', import.meta.url),
    {
      resourceLimits: { maxOldGenerationSizeMb: 512 },
      keepsProcess: false,
      decodeError: cause => new Fault('server.failed', { cause }),
      endedError: cause => new Fault('server.failed', { detail: 'no prompt was counted', cause }),
      onEnd: () => {
        if (counter.thread === thread) counter.thread = undefined
      },
    },
  )
  return thread
}

const endWhenIdle = (app: App, counter: Counter): void => {
  counter.waiting -= 1
  if (counter.waiting > 0) return
  const { thread, last } = counter
  timers(app).start(idleMs, () => {
    if (counter.waiting > 0 || counter.last !== last || counter.thread !== thread) return
    counter.thread = undefined
    void thread?.terminate()
  })
}

const withDeadline = (
  app: App,
  counted: Promise<PromptCount>,
  onLate?: () => void,
): Promise<PromptCount> =>
  new Promise((resolve, reject) => {
    const timer = timers(app).start(deadlineMs, () => {
      reject(new Fault('server.failed', { detail: 'a prompt was not counted in time' }))
      onLate?.()
    })
    counted.then(resolve, reject).finally(() => timers(app).stop(timer))
  })
