import { inputTokens, noUsage, outputTokens, type Usage } from '@hub/dialects/usage'
import type { Progress } from '../open-hold.ts'
import type { EffectivePrice } from '../price-cache.ts'

/** A crash loses the charge for tokens since the last checkpoint. These limits bound the loss. */
const checkpointMs = 2000
export const checkpointTokens = 512

/** The time between two tries to extend a reservation that the ledger could not answer. */
export const retryMs = 250
/** After this time without an answer the stream ends with a fault of the server. */
export const extensionMaxMs = 30_000
/** Further extensions of a balance that granted the first one in full reserve this many times as much. */
const richFactor = 3

const checkpointUsage: Usage = { ...noUsage(), output: checkpointTokens }

export type Checkpoint = { price: EffectivePrice; delivered: Usage; accrued: number; want: number }

type MeterOptions = {
  amount: number
  /** Points for what is made unseen beside the delivery. */
  hidden?: number
  /** Monotonic milliseconds. */
  now(): number
  delay(ms: number): Promise<unknown>
  /** Makes the checkpoint durable. Returns the points by which the reservation grew; undefined: the hold is gone. */
  save(checkpoint: Checkpoint): Promise<number | undefined>
}

export type Meter = {
  amount(): number
  /** The last reported usage. */
  delivered(): Usage
  progress(price: EffectivePrice, delivered: Usage): Progress
}

/** One plain object per call. */
type MeterState = {
  readonly options: MeterOptions
  amount: number
  delivered: Usage
  count: number
  accrued: number
  /** The cost of what is to be delivered next, and of what is hidden. */
  needed: number
  /** The checkpoint that is being saved. */
  saving: Promise<void> | undefined
  /** The wait for an extension of a reservation that is used up. */
  extending: Promise<void> | undefined
  /** The last extension was refused, in full or in part. */
  isRefused: boolean
  /** The last extension did not cover the running cost: the balance is used up. */
  isShort: boolean
  hasExtended: boolean
  /** The last checkpoint could not be saved. */
  hasFailed: boolean
  /** The hold is gone, or no extension was answered in time. */
  isLost: boolean
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
 * Compares the running cost of one call with its reservation, before it is delivered. Checkpoints are saved while the stream runs, at most one at
 * a time, and extend the reservation when half of it is used. Only a stream that used all of it waits for the ledger.
 */
export const openMeter = (options: MeterOptions): Meter => {
  const state: MeterState = {
    options,
    amount: options.amount,
    delivered: nothingDelivered,
    count: -1,
    accrued: 0,
    needed: 0,
    saving: undefined,
    extending: undefined,
    isRefused: false,
    isShort: false,
    hasExtended: false,
    hasFailed: false,
    isLost: false,
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

/** Allows the delivery of the reported usage, which counts as delivered only then. */
const progress = (state: MeterState, price: EffectivePrice, usage: Usage): Progress => {
  const count = inputTokens(usage) + outputTokens(usage)
  if (count === state.count) return 'go'
  const cost = price.cost(usage)
  const { hidden = 0, now } = state.options
  state.needed = cost === 0 ? 0 : cost + hidden
  if (price.type === 'tokens' && state.needed > state.amount) return onUsedUp(state, price)
  // The interval starts at the first delivery, because nothing can be lost before it.
  if (state.count === -1) state.savedAt = now()
  state.count = count
  state.delivered = usage
  state.accrued = cost
  if (isDue(state, price, usage)) void save(state, price)
  return 'go'
}

/** Asks the ledger again although it may have refused before: other calls may have released points since. */
const onUsedUp = (state: MeterState, price: EffectivePrice): Progress => {
  if (state.isShort) return 'cut'
  if (state.isLost) return 'failed'
  state.extending ??= extend(state, price).finally(() => {
    state.extending = undefined
  })
  return state.extending
}

/** Resolves when the reservation grew, or it is known why it cannot. */
const extend = async (state: MeterState, price: EffectivePrice): Promise<void> => {
  const { now, delay } = state.options
  if (state.saving) return state.saving
  const since = now()
  for (;;) {
    await save(state, price)
    if (!state.hasFailed || state.isLost) return
    if (now() - since >= extensionMaxMs) {
      state.isLost = true
      return
    }
    await delay(retryMs)
  }
}

/** Reads the clock last, because that costs more than the other conditions and most chunks need no checkpoint. */
const isDue = (state: MeterState, price: EffectivePrice, usage: Usage): boolean => {
  if (state.accrued === 0 || state.saving || state.isLost) return false
  if (state.hasFailed) return state.options.now() - state.savedAt >= retryMs
  return (
    (!state.hasSaved && isExpensive(state, price)) ||
    outputTokens(usage) - state.savedOutput >= checkpointTokens ||
    (!state.isRefused && extensionOf(state, price) > 0) ||
    state.options.now() - state.savedAt >= checkpointMs
  )
}

/** A prompt that costs more than the output between two checkpoints is saved at the first byte. */
const isExpensive = (state: MeterState, price: EffectivePrice): boolean => {
  if (state.checkpointCostPrice !== price) {
    state.checkpointCost = price.cost(checkpointUsage)
    state.checkpointCostPrice = price
  }
  return state.accrued >= state.checkpointCost
}

/**
 * The extension to request once half is used. It doubles the reservation, or raises it to twice the running cost; a rich
 * balance is reserved further ahead, so that a slow ledger stops no stream.
 */
const extensionOf = (
  { needed, amount, hasExtended, isRefused }: MeterState,
  { type }: EffectivePrice,
): number => {
  if (type !== 'tokens' || needed * 2 < amount) return 0
  return Math.max(amount, needed * 2 - amount) * (hasExtended && !isRefused ? richFactor : 1)
}

const save = (state: MeterState, price: EffectivePrice): Promise<void> => {
  state.saving = saveCheckpoint(state, price).finally(() => {
    state.saving = undefined
  })
  return state.saving
}

const saveCheckpoint = async (state: MeterState, price: EffectivePrice): Promise<void> => {
  const { options, accrued, delivered, needed } = state
  const want = extensionOf(state, price)
  state.savedAt = options.now()
  state.savedOutput = outputTokens(delivered)
  state.hasSaved = true
  try {
    const granted = await options.save({ price, delivered, accrued, want })
    state.isLost = granted === undefined
    state.hasFailed = false
    state.amount += granted ?? 0
    if (want === 0 || granted === undefined) return
    state.isRefused = granted < want
    state.isShort = state.isRefused && needed > state.amount
    state.hasExtended ||= !state.isRefused
  } catch {
    // The ledger writer logs and counts its own failures.
    state.hasFailed = true
  }
}
