import { writeSync } from 'node:fs'

/** `from`: steps are counted from the start of the process, from open doors on, or from the signal SIGUSR2 on. */
export type Failpoint = { step: number; from: 'start' | 'open' | 'signal' }

/**
 * Steps until the end, shared by all threads of the process; 0: not counting. The one exception to "no module keeps
 * state": a step may stand anywhere, also in a database thread, and must cost nothing but this comparison.
 */
let left: Int32Array<SharedArrayBuffer> | undefined

/** Called at each of these moments: counting begins at the one that was asked for. */
export const armFailpoint = (wish: Failpoint | undefined, moment: Failpoint['from']): void => {
  if (!wish) return
  left ??= new Int32Array(new SharedArrayBuffer(4))
  if (wish.from !== moment) return
  Atomics.store(left, 0, wish.step)
  if (moment === 'signal') writeSync(2, 'failpoint: armed\n')
}

/** For another thread of the process, which joins with it. */
export const failpointMemory = (): SharedArrayBuffer | undefined => left?.buffer

export const joinFailpoint = (memory: SharedArrayBuffer | undefined): void => {
  if (memory) left = new Int32Array(memory)
}

export const isFailing = (): boolean => left !== undefined

/** A durable or a network step. Tests enumerate them: at the n-th one the process is killed, as if the power went. */
export const failpoint = (name: string): void => {
  if (left !== undefined) reach(left, name)
}

const reach = (steps: Int32Array<SharedArrayBuffer>, name: string) => {
  if (Atomics.load(steps, 0) <= 0 || Atomics.sub(steps, 0, 1) !== 1) return
  writeSync(2, `failpoint: ${name}\n`)
  process.kill(process.pid, 'SIGKILL')
  // Nothing more happens here, whenever the kernel comes to it.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)
}
