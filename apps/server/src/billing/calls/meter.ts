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

/** What a meter remembers; one plain object, since every call has one. */
type Running = {
  readonly opening: Opening
  amount: number
  delivered: Usage
  count: number
  accrued: number
  isSaving: boolean
  /** The last extension was refused, in full or in part. */
  isRefused: boolean
  /** Monotonic milliseconds: of the last checkpoint, or of what was delivered first. */
  savedAt: number
  savedOutput: number
  hasSaved: boolean
  /** What is too dear to wait for a checkpoint, at which price. */
  dear: number
  dearAt: Priced | undefined
}

/** As long as nothing was told. Nobody writes into what was delivered. */
const nothing: Usage = noUsage()

/**
 * The running cost of one call against its reservation. Nothing here waits: checkpoints go out beside the stream, at
 * most one at a time, and ask for more when half the reservation is used.
 */
export const openMeter = (opening: Opening): Meter => {
  const running: Running = {
    opening,
    amount: opening.amount,
    delivered: nothing,
    count: -1,
    accrued: 0,
    isSaving: false,
    isRefused: false,
    savedAt: 0,
    savedOutput: 0,
    hasSaved: false,
    dear: 0,
    dearAt: undefined,
  }
  return {
    amount: () => running.amount,
    delivered: () => running.delivered,
    progress: (priced, usage) => progress(running, priced, usage),
  }
}

const progress = (running: Running, priced: Priced, usage: Usage): 'go' | 'cut' => {
  const seen = inputTokens(usage) + outputTokens(usage)
  const hasMoved = seen !== running.count
  if (hasMoved) {
    // However long a vendor thinks before its first word: a crash can cost only what was delivered.
    if (running.count === -1) running.savedAt = running.opening.now()
    running.count = seen
    running.delivered = usage
    running.accrued = priced.cost(usage)
  }
  const { accrued } = running
  const isUsedUp = priced.type === 'tokens' && accrued > 0 && accrued >= running.amount
  if ((hasMoved || isUsedUp) && isDue(running, priced, usage)) void save(running, priced, usage)
  return isUsedUp && !isForgiven(running) ? 'cut' : 'go'
}

/** The clock is asked last: most chunks are due for nothing, and it costs more than all the rest. */
const isDue = (running: Running, priced: Priced, usage: Usage): boolean =>
  running.accrued > 0 &&
  !running.isSaving &&
  ((!running.hasSaved && isDear(running, priced)) ||
    outputTokens(usage) - running.savedOutput >= checkpointTokens ||
    (!running.isRefused && wants(running, priced) > 0) ||
    running.opening.now() - running.savedAt >= checkpointMs)

/** A prompt that costs more than a checkpoint's worth of output is made safe at the first byte. */
const isDear = (running: Running, priced: Priced): boolean => {
  if (running.dearAt !== priced) {
    running.dear = priced.cost(checkpointWorth)
    running.dearAt = priced
  }
  return running.accrued >= running.dear
}

/** A burst may outrun the database for a moment: a stream whose owner can pay is not cut for that. */
const isForgiven = ({ opening, isSaving, isRefused, savedAt }: Running): boolean =>
  isSaving && !isRefused && opening.now() - savedAt < graceMs

/** More is asked for when half is used: as much again, or what brings the reservation to twice the running cost. */
const wants = ({ accrued, amount }: Running, { type }: Priced): number =>
  type === 'tokens' && accrued * 2 >= amount ? Math.max(amount, accrued * 2 - amount) : 0

const save = async (running: Running, priced: Priced, usage: Usage): Promise<void> => {
  const { opening, accrued } = running
  const want = wants(running, priced)
  running.isSaving = true
  running.savedAt = opening.now()
  running.savedOutput = outputTokens(usage)
  running.hasSaved = true
  try {
    const granted = await opening.save({ priced, delivered: usage, accrued, want })
    running.amount += granted
    if (want > 0) running.isRefused = granted < want
  } catch {
    // The writer tells and counts its own failures. Until it works again nothing is granted, so the stream ends where its reservation does.
    if (want > 0) running.isRefused = true
  } finally {
    running.isSaving = false
  }
}
