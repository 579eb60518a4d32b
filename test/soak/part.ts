import type { Engine } from '../harness/engines.ts'

export type Wishes = {
  engines: readonly Engine[]
  seed: number
  /** Kills of each engine, where a part counts in rounds. */
  rounds: number
  minutes: number
  operations: number
}

export type Result = { rows: (string | number)[][]; isSound: boolean }

/** One long proof: what it says about itself in the document, and what it found. */
export type Part = {
  name: string
  title: string
  intro: string
  columns: readonly string[]
  run(wishes: Wishes): Promise<Result>
}

/** A part that breaks off is a finding like any other: it is told with its seed, and the next one runs. */
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
