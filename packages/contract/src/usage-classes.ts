import { type PriceMode, priceModeNames } from './price-modes.ts'

export type UsageSide = 'input' | 'output'

/**
 * One class of tokens that has a price of its own: the price of its side × ratio × `ratioFactor`. The ratio is the value in
 * `extra_ratios` under the first of `ratioKeys` that is present; else that of `ownerRatios`; else `defaultRatio`.
 */
type UsageClassSpec = {
  /** The price that the ratio multiplies. */
  side: UsageSide
  /** Keys of `extra_ratios`, as One Hub names them. */
  ratioKeys: readonly [string, ...string[]]
  /** Decimals in text. */
  defaultRatio: string
  /** Replaces `defaultRatio` for models of these owners (`channel_type`). */
  ownerRatios?: Readonly<Record<number, string>>
  /** Multiplies the ratio, for a class that shares the key of another class. */
  ratioFactor?: string
  /** The field of a log row's metadata. Plain input and output have none, because the row has columns for the sums. */
  logKey?: string
}

/**
 * Every class of tokens in a usage, input side first. No token is in two classes. Do not reorder: the hash of a stored
 * price version covers the order, and equal terms in another order would become a second version.
 * The labels are `usage.classes.<class>` and `usage.keys.<ratio key or log key>` in the console's locales.
 */
export const usageClasses = {
  input: { side: 'input', ratioKeys: ['input_text_tokens'], defaultRatio: '1' },
  cacheRead: {
    side: 'input',
    // An OpenAI-like price list names `cached_tokens`, a Claude-like list `cached_read_tokens`.
    ratioKeys: ['cached_read_tokens', 'cached_tokens'],
    defaultRatio: '1',
    // As in One Hub, a cache read of a model that Anthropic owns costs a tenth.
    ownerRatios: { 14: '0.1' },
    logKey: 'cached_read_tokens',
  },
  // Vendors sell cached audio and images at prices of their own, or at that of cached text.
  cacheReadAudio: {
    side: 'input',
    ratioKeys: ['cached_read_audio_tokens', 'cached_read_tokens', 'cached_tokens'],
    defaultRatio: '1',
    ownerRatios: { 14: '0.1' },
    logKey: 'cached_read_audio_tokens',
  },
  cacheReadImage: {
    side: 'input',
    ratioKeys: ['cached_read_image_tokens', 'cached_read_tokens', 'cached_tokens'],
    defaultRatio: '1',
    ownerRatios: { 14: '0.1' },
    logKey: 'cached_read_image_tokens',
  },
  cacheWrite5m: {
    side: 'input',
    ratioKeys: ['cached_write_tokens'],
    defaultRatio: '1.25',
    logKey: 'cached_write_tokens',
  },
  cacheWrite1h: {
    side: 'input',
    ratioKeys: ['cached_write_tokens'],
    defaultRatio: '1.25',
    // One Hub has one key for both writes. Anthropic sells an hour at 2.0 times the input and five minutes at 1.25 times.
    ratioFactor: '1.6',
    logKey: 'cached_write_1h_tokens',
  },
  audioInput: {
    side: 'input',
    ratioKeys: ['input_audio_tokens'],
    defaultRatio: '1',
    logKey: 'input_audio_tokens',
  },
  imageInput: {
    side: 'input',
    ratioKeys: ['input_image_tokens'],
    defaultRatio: '1',
    logKey: 'input_image_tokens',
  },
  output: { side: 'output', ratioKeys: ['output_text_tokens'], defaultRatio: '1' },
  reasoning: {
    side: 'output',
    ratioKeys: ['reasoning_tokens'],
    defaultRatio: '1',
    logKey: 'reasoning_tokens',
  },
  audioOutput: {
    side: 'output',
    ratioKeys: ['output_audio_tokens'],
    defaultRatio: '1',
    logKey: 'output_audio_tokens',
  },
  imageOutput: {
    side: 'output',
    ratioKeys: ['output_image_tokens'],
    defaultRatio: '1',
    logKey: 'output_image_tokens',
  },
} as const satisfies Record<string, UsageClassSpec>

export type UsageClass = keyof typeof usageClasses

export const usageClassNames = Object.keys(usageClasses) as UsageClass[]

/** `usageClasses` with the optional fields in its type, for code that iterates over all classes. */
export const usageClassSpecs: Readonly<Record<UsageClass, UsageClassSpec>> = { ...usageClasses }

type ClassRatioKey = (typeof usageClasses)[UsageClass]['ratioKeys'][number]
export type RatioKey = ClassRatioKey | PriceMode
type LogKey = Extract<(typeof usageClasses)[UsageClass], { logKey: string }>['logKey']
export type UsageKey = ClassRatioKey | LogKey

/** The keys that `extra_ratios` of a price may have. Those of plain input and output come last of the classes. */
export const extraRatioKeys = [
  ...new Set(
    Object.values<UsageClassSpec>(usageClasses)
      .sort((a, b) => Number(!a.logKey) - Number(!b.logKey))
      .flatMap(each => each.ratioKeys),
  ),
  ...priceModeNames,
] as [RatioKey, ...RatioKey[]]

/** The side on which each ratio key and each log key is priced. */
export const sideOfUsageKey = Object.fromEntries(
  Object.values<UsageClassSpec>(usageClasses).flatMap(({ side, ratioKeys, logKey }) =>
    [...ratioKeys, ...(logKey ? [logKey] : [])].map(key => [key, side]),
  ),
) as Record<UsageKey, UsageSide>
