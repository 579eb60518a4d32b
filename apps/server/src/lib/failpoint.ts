import { writeSync } from 'node:fs'

/**
 * `step`: the number of the last step, or the name of a step of the main thread. `from`: counting starts with the process,
 * when the gateway begins to listen, or at the signal SIGUSR2.
 */
export type Failpoint = { step: number | string; from: 'start' | 'open' | 'signal' }

/**
 * Steps until the process is killed, shared by its threads; 0 means not counting. The one exception to "no module keeps
 * state": a step may occur in any module and thread, and must cost no more than one comparison.
 */
let stepsLeft: Int32Array<SharedArrayBuffer> | undefined
/** Only steps of this name count. */
let stepName: string | undefined

/** Called at each of the three moments; counting starts at the configured one. */
export const armFailpoint = (config: Failpoint | undefined, moment: Failpoint['from']): void => {
  if (!config) return
  const { step } = config
  stepsLeft ??= new Int32Array(new SharedArrayBuffer(4))
  if (typeof step === 'string') stepName = step
  if (config.from !== moment) return
  Atomics.store(stepsLeft, 0, typeof step === 'string' ? 1 : step)
  if (moment === 'signal') writeSync(2, 'failpoint: armed\n')
}

/** The counter to pass to another thread, which calls `joinFailpoint` with it. */
export const failpointMemory = (): SharedArrayBuffer | undefined =>
  stepName === undefined ? stepsLeft?.buffer : undefined

export const joinFailpoint = (memory: SharedArrayBuffer | undefined): void => {
  if (memory) stepsLeft = new Int32Array(memory)
}

export const isFailing = (): boolean => stepsLeft !== undefined

/** Marks a durable or network step. Tests kill the process at the n-th one, which simulates a power failure. */
export const failpoint = (name: string): void => {
  if (stepsLeft !== undefined) countDown(stepsLeft, name)
}

const countDown = (steps: Int32Array<SharedArrayBuffer>, name: string) => {
  if (stepName !== undefined && stepName !== name) return
  if (Atomics.load(steps, 0) <= 0 || Atomics.sub(steps, 0, 1) !== 1) return
  writeSync(2, `failpoint: ${name}\n`)
  process.kill(process.pid, 'SIGKILL')
  // Blocks this thread until the kernel delivers the signal.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)
}
