import type { Usage } from '@hub/dialects'
import type { Priced } from '../book.ts'
import { inputTokens, noUsage, outputTokens } from '../usage.ts'

/** What a crash may cost: what was delivered since the last checkpoint. */
const checkpointMs = 2000
export const checkpointTokens = 512

/** How long a stream may run past its reservation while the answer about more is under way. */
export const graceMs = 250

const checkpointWorth: Usage = { ...noUsage(), output: checkpointTokens }

export type Checkpoint = { priced: Priced; delivered: Usage; accrued: number; want: number }

type Opening = {
  amount: number
  /** Monotonic milliseconds. */
  now(): number
  /** Makes it durable and answers how much the reservation grew. */
  save(checkpoint: Checkpoint): Promise<number>
}

export type Meter = {
  amount(): number
  /** What was last told. */
  delivered(): Usage
  progress(priced: Priced, delivered: Usage): 'go' | 'cut'
}

/**
 * The running cost of one call against its reservation. Nothing here waits: checkpoints go out beside the stream, at
 * most one at a time, and ask for more when half the reservation is used.
 */
export const openMeter = (opening: Opening): Meter => {
  let amount = opening.amount
  let delivered = noUsage()
  let count = -1
  let accrued = 0
  let isSaving = false
  /** The last extension was refused, in full or in part. */
  let isRefused = false
  let savedAt = opening.now()
  let savedOutput = 0
  let hasSaved = false

  const save = async (priced: Priced, usage: Usage) => {
    const want = wants(priced, accrued, amount)
    isSaving = true
    savedAt = opening.now()
    savedOutput = outputTokens(usage)
    hasSaved = true
    try {
      const granted = await opening.save({ priced, delivered: usage, accrued, want })
      amount += granted
      if (want > 0) isRefused = granted < want
    } catch {
      // The writer tells and counts its own failures. Until it works again nothing is granted, so the stream ends where its reservation does.
      if (want > 0) isRefused = true
    } finally {
      isSaving = false
    }
  }

  const isDue = (priced: Priced, usage: Usage): boolean =>
    accrued > 0 &&
    !isSaving &&
    ((!hasSaved && isDear(priced, accrued)) ||
      opening.now() - savedAt >= checkpointMs ||
      outputTokens(usage) - savedOutput >= checkpointTokens ||
      (!isRefused && wants(priced, accrued, amount) > 0))

  return {
    amount: () => amount,
    delivered: () => delivered,
    progress(priced, usage) {
      const seen = inputTokens(usage) + outputTokens(usage)
      const hasMoved = seen !== count
      if (hasMoved) {
        count = seen
        delivered = usage
        accrued = priced.cost(usage)
      }
      const isUsedUp = priced.type === 'tokens' && accrued > 0 && accrued >= amount
      if ((hasMoved || isUsedUp) && isDue(priced, usage)) void save(priced, usage)
      // A burst may outrun the database for a moment: a stream whose owner can pay is not cut for that.
      const isForgiven = isSaving && !isRefused && opening.now() - savedAt < graceMs
      return isUsedUp && !isForgiven ? 'cut' : 'go'
    },
  }
}

/** More is asked for when half is used: as much again, or what brings the reservation to twice the running cost. */
const wants = (priced: Priced, accrued: number, amount: number): number =>
  priced.type === 'tokens' && accrued * 2 >= amount ? Math.max(amount, accrued * 2 - amount) : 0

/** A prompt that costs more than a checkpoint's worth of output is made safe at the first byte. */
const isDear = (priced: Priced, accrued: number): boolean => accrued >= priced.cost(checkpointWorth)
