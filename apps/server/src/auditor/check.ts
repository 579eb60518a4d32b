import type { Snapshot } from '../db/engines/snapshot.ts'

/** A row that violates a check. */
export type Finding = {
  /** Table and key of the row. */
  row: string
  description: string
  /** Deviation in points; 0 if the violation is no amount. */
  deviation: bigint
}

export type CheckContext = Snapshot & { nowSeconds: number }

export type Check = {
  /** The invariant of docs/ledger.md that it checks, for example `I3`. */
  invariant: string
  title: string
  find(context: CheckContext): Promise<Finding[]>
}

export const toBigint = (value: string | bigint | null | undefined): bigint => BigInt(value ?? 0)

export const deviation = (
  row: string,
  subject: string,
  expected: bigint,
  found: bigint,
): Finding => ({
  row,
  description: `${subject} is ${found}, but must be ${expected}`,
  deviation: found > expected ? found - expected : expected - found,
})

export const finding = (row: string, description: string): Finding => ({
  row,
  description,
  deviation: 0n,
})
