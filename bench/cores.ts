import { spawnSync } from 'node:child_process'
import { availableParallelism } from 'node:os'

const canPin = availableParallelism() > 1 && spawnSync('taskset', ['-V']).status === 0

/** The target has a core of its own; callers, upstream and databases share another. */
export const cores: { target: number | undefined; others: number | undefined } = canPin
  ? { target: 0, others: 1 }
  : { target: undefined, others: undefined }

export const pinned = (
  core: number | undefined,
  program: string,
  args: string[],
): [string, string[]] =>
  core === undefined ? [program, args] : ['taskset', ['-c', String(core), program, ...args]]
