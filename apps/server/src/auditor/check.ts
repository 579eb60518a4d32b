import type { Snapshot } from '../db/engines/snapshot.ts'

/** One row that is not as it must be. */
export type Finding = {
  /** Names the row: table and key. */
  row: string
  what: string
  /** How far off, in points; 0 where the fault is no amount. */
  deviation: bigint
}

export type Look = Snapshot & { nowSeconds: number }

export type Check = {
  /** The law of the contract that it watches. */
  law: string
  title: string
  find(look: Look): Promise<Finding[]>
}

export const whole = (value: string | bigint | null | undefined): bigint => BigInt(value ?? 0)

export const off = (row: string, what: string, expected: bigint, found: bigint): Finding => ({
  row,
  what: `${what} is ${found}, but must be ${expected}`,
  deviation: found > expected ? found - expected : expected - found,
})

export const wrong = (row: string, what: string): Finding => ({ row, what, deviation: 0n })
