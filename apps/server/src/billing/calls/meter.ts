import { inputTokens, noUsage, outputTokens, type Usage } from '@hub/dialects/usage'
import type { EffectivePrice } from '../price-cache.ts'

/** A crash loses the charge for tokens since the last checkpoint. These limits bound the loss. */
const checkpointMs = 2000
export const checkpointTokens = 512

/** A stream may run past its reservation for this long while an extension is pending. */
export const graceMs = 250

const checkpointUsage: Usage = { ...noUsage(), output: checkpointTokens }

export type Checkpoint = { price: EffectivePrice; delivered: Usage; accrued: number; want: number }

type MeterOptions = {
  amount: number
  /** Monotonic milliseconds. */
  now(): number
  /** Makes the checkpoint durable. Returns the points by which the reservation grew. */
  save(checkpoint: Checkpoint): Promise<number>
}

export type Meter = {
  amount(): number
  /** The last reported usage. */
  delivered(): Usage
  progress(price: EffectivePrice, delivered: Usage): 'go' | 'cut'
}

/** One plain object per call. */
type MeterState = {
  readonly options: MeterOptions
  amount: number
  delivered: Usage
  count: number
  accrued: number
  isSaving: boolean
  /** The last extension was refused, in full or in part. */
  isRefused: boolean
  /** Monotonic milliseconds of the last checkpoint, or of the first delivery before there is one. */
  savedAt: number
  savedOutput: number
  hasSaved: boolean
  /** The cost of `checkpointTokens` output tokens at `checkpointCostPrice`. */
  checkpointCost: number
  checkpointCostPrice: EffectivePrice | undefined
}

/** The delivered usage before the first report. Never written to. */
const nothingDelivered: Usage = noUsage()

/**
 * Compares the running cost of one call with its reservation. Never waits: checkpoints are saved while the stream runs,
 * at most one at a time, and extend the reservation when half of it is used.
 */
export const openMeter = (options: MeterOptions): Meter => {
  const state: MeterState = {
    options,
    amount: options.amount,
    delivered: nothingDelivered,
    count: -1,
    accrued: 0,
    isSaving: false,
    isRefused: false,
    savedAt: 0,
    savedOutput: 0,
    hasSaved: false,
    checkpointCost: 0,
    checkpointCostPrice: undefined,
  }
  return {
    amount: () => state.amount,
    delivered: () => state.delivered,
    progress: (price, usage) => progress(state, price, usage),
  }
}

const progress = (state: MeterState, price: EffectivePrice, usage: Usage): 'go' | 'cut' => {
  const count = inputTokens(usage) + outputTokens(usage)
  const hasChanged = count !== state.count
  if (hasChanged) {
    // The interval starts at the first delivery, because nothing can be lost before it.
    if (state.count === -1) state.savedAt = state.options.now()
    state.count = count
    state.delivered = usage
    state.accrued = price.cost(usage)
  }
  const { accrued } = state
  const isUsedUp = price.type === 'tokens' && accrued > 0 && accrued >= state.amount
  if ((hasChanged || isUsedUp) && isDue(state, price, usage)) void save(state, price, usage)
  return isUsedUp && !isInGracePeriod(state) ? 'cut' : 'go'
}

/** Reads the clock last, because that costs more than the other conditions and most chunks need no checkpoint. */
const isDue = (state: MeterState, price: EffectivePrice, usage: Usage): boolean =>
  state.accrued > 0 &&
  !state.isSaving &&
  ((!state.hasSaved && isExpensive(state, price)) ||
    outputTokens(usage) - state.savedOutput >= checkpointTokens ||
    (!state.isRefused && extensionOf(state, price) > 0) ||
    state.options.now() - state.savedAt >= checkpointMs)

/** A prompt that costs more than the output between two checkpoints is saved at the first byte. */
const isExpensive = (state: MeterState, price: EffectivePrice): boolean => {
  if (state.checkpointCostPrice !== price) {
    state.checkpointCost = price.cost(checkpointUsage)
    state.checkpointCostPrice = price
  }
  return state.accrued >= state.checkpointCost
}

/** A burst may be faster than the database. A stream whose owner can pay must not be cut because of that. */
const isInGracePeriod = ({ options, isSaving, isRefused, savedAt }: MeterState): boolean =>
  isSaving && !isRefused && options.now() - savedAt < graceMs

/** The extension to request once half is used. It doubles the reservation, or raises it to twice the running cost. */
const extensionOf = ({ accrued, amount }: MeterState, { type }: EffectivePrice): number =>
  type === 'tokens' && accrued * 2 >= amount ? Math.max(amount, accrued * 2 - amount) : 0

const save = async (state: MeterState, price: EffectivePrice, usage: Usage): Promise<void> => {
  const { options, accrued } = state
  const want = extensionOf(state, price)
  state.isSaving = true
  state.savedAt = options.now()
  state.savedOutput = outputTokens(usage)
  state.hasSaved = true
  try {
    const granted = await options.save({ price, delivered: usage, accrued, want })
    state.amount += granted
    if (want > 0) state.isRefused = granted < want
  } catch {
    // The ledger writer logs and counts its own failures. Without an extension the stream is cut at its reservation.
    if (want > 0) state.isRefused = true
  } finally {
    state.isSaving = false
  }
}
