import type { Engine } from '../harness/engines.ts'

export type SoakOptions = {
  engines: readonly Engine[]
  seed: number
  /** Kills of each engine, where a part counts in rounds. */
  rounds: number
  minutes: number
  operations: number
}

export type Result = { rows: (string | number)[][]; isSound: boolean }

/** One long test: its texts in the document, and its results. */
export type Part = {
  name: string
  title: string
  intro: string
  columns: readonly string[]
  run(soakOptions: SoakOptions): Promise<Result>
}

/** A part that throws is reported with its seed, and the next one runs. */
export const guarded = async <T>(
  what: string,
  work: () => Promise<T>,
  otherwise: (broken: string) => T,
): Promise<T> => {
  try {
    return await work()
  } catch (error) {
    const broken = `${what}: ${(error as Error).message}`
    console.error(broken)
    return otherwise(broken)
  }
}
