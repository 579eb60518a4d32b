import { Fault } from '@hub/contract'
import { z } from 'zod'
import type { ImportedPrice } from '../gateway-data.ts'
import type { ReadLog } from '../sources/checked-rows.ts'
import { oneApiOutputRatio } from './output-ratios.ts'
import { readRatios, type StoredOptions } from './ratios.ts'

/** A price per call in USD becomes the points of one call, of which one input unit is 1,000. */
const timesPerUsd = 500
const common = { channel_type: 0, locked: true, extra_ratios: null }

/** Undefined where the administrator stored no ratios: One API then used its own. It has no price for cached tokens. */
export const readOneApiPrices = (
  options: StoredOptions,
  log: ReadLog,
): ImportedPrice[] | undefined => {
  const ratios = readRatios(options, 'ModelRatio', log)
  if (!ratios || ratios.numbers.size === 0) return undefined
  const stored = readRatios(options, 'CompletionRatio', log)?.numbers
  return [...ratios.numbers].map(([model, input]) => ({
    ...{ model, type: 'tokens', ...common },
    input: rounded(input),
    output: rounded(input * (stored?.get(model) ?? oneApiOutputRatio(model))),
  }))
}

/** A number that is missing or something else makes the price of its model unreadable, and not free. */
const Amount = z.number().catch(Number.NaN)
const OptionalAmount = z.number().nullish().catch(Number.NaN)

/** The answer of New API at `/api/pricing`. `quota_type` 1 is a price per call. */
const Answer = z.object({ data: z.array(z.unknown()) })
const AnswerEntry = z.object({
  model_name: z.string().min(1),
  quota_type: z.union([z.literal(0), z.literal(1)]),
  ...{ model_ratio: Amount, model_price: Amount, completion_ratio: Amount },
  ...{ cache_ratio: OptionalAmount, create_cache_ratio: OptionalAmount },
  ...{ image_ratio: OptionalAmount, audio_ratio: OptionalAmount },
  audio_completion_ratio: OptionalAmount,
  billing_mode: z.string().nullish(),
})
type AnswerEntry = z.output<typeof AnswerEntry>

/**
 * New API has rules for output in its code, which differ by release: only its own answer tells what a model costs. The
 * database is read later than the answer, so that its ratios of input and its prices of calls win.
 */
export const readNewApiPrices = (
  options: StoredOptions,
  pricing: unknown,
  { log, models }: { log: ReadLog; models: ReadonlySet<string> },
): ImportedPrice[] => {
  const read = Answer.safeParse(pricing)
  if (!read.success)
    throw new Fault('import.source', {
      hint: 'New API sets prices of output by rules of its own code. Save the answer of its address /api/pricing while it runs, and give the file: --pricing pricing.json.',
    })
  const stored = storedRatios(options, log)
  const prices = new Map<string, ImportedPrice>()
  for (const [at, given] of read.data.data.entries()) {
    const entry = AnswerEntry.safeParse(given)
    const name = String((given as { model_name?: unknown } | null)?.model_name ?? '')
    const skip = (reason: string) =>
      log.skipped.push({ table: 'prices', id: name || `entry ${at}`, name, reason })
    if (!entry.success) skip('the answer of /api/pricing has an entry that cannot be read')
    else if (prices.has(name)) skip('the answer of /api/pricing names it twice: the first counts')
    else if (entry.data.billing_mode === 'tiered_expr')
      skip('its price is a formula, which is not carried: it has no price here')
    else prices.set(name, priceOf(entry.data, stored, log))
  }
  for (const model of models)
    if (!prices.has(model) && (stored.ModelRatio.has(model) || stored.ModelPrice.has(model)))
      log.skipped.push({
        ...{ table: 'prices', id: model, name: model },
        reason:
          'the options have a price, but the answer of /api/pricing does not: it has no price here. Save the answer again',
      })
  return [...prices.values()]
}

const ratioOptions = [
  ...(['ModelRatio', 'ModelPrice', 'CompletionRatio', 'CacheRatio', 'CreateCacheRatio'] as const),
  ...(['ImageRatio', 'AudioRatio', 'AudioCompletionRatio'] as const),
]
type StoredRatios = Record<(typeof ratioOptions)[number], Map<string, number>>

const storedRatios = (options: StoredOptions, log: ReadLog): StoredRatios =>
  Object.fromEntries(
    ratioOptions.map(key => [key, readRatios(options, key, log)?.numbers ?? new Map()]),
  ) as StoredRatios

const priceOf = (entry: AnswerEntry, stored: StoredRatios, log: ReadLog): ImportedPrice => {
  const model = entry.model_name
  const note = (change: string) => {
    log.changes.push({ table: 'prices', id: model, name: model, change })
  }
  /** The number of the options, which are newer than the answer. */
  const newest = (
    key: keyof StoredRatios,
    answered: number | null | undefined,
  ): number | undefined => {
    const current = stored[key].get(model)
    if (current === undefined) return answered ?? undefined
    if (answered !== undefined && answered !== null && answered !== current)
      note(
        `the answer of /api/pricing says ${answered} and the option \`${key}\` ${current}, which counts`,
      )
    return current
  }
  const isPerCall =
    stored.ModelPrice.has(model) || (entry.quota_type === 1 && !stored.ModelRatio.has(model))
  if (isPerCall !== (entry.quota_type === 1))
    note(
      `is priced ${isPerCall ? 'per call' : 'by tokens'} by the options, and was not in the answer of /api/pricing`,
    )
  if (isPerCall) {
    const answered = entry.quota_type === 1 ? entry.model_price : undefined
    const input = rounded(newest('ModelPrice', answered)! * timesPerUsd)
    return { ...{ model, type: 'times', ...common }, input, output: 0 }
  }
  const isAnswered = entry.quota_type === 0
  const ratio = newest('ModelRatio', isAnswered ? entry.model_ratio : undefined) ?? Number.NaN
  const completion = isAnswered
    ? entry.completion_ratio
    : (stored.CompletionRatio.get(model) ?? Number.NaN)
  const kept = stored.CompletionRatio.get(model)
  if (isAnswered && kept !== undefined && kept !== completion)
    note(
      `the answer of /api/pricing says ${completion} for output, and the option \`CompletionRatio\` ${kept}: the answer counts, because the code of New API fixes some of them`,
    )
  return {
    ...{ model, type: 'tokens', ...common },
    input: rounded(ratio),
    output: rounded(ratio * completion),
    extra_ratios: extraRatios(entry, newest, completion, note),
  }
}

const extraRatios = (
  entry: AnswerEntry,
  newest: (key: keyof StoredRatios, answered: number | null | undefined) => number | undefined,
  completion: number,
  note: (change: string) => void,
) => {
  const cached = newest('CacheRatio', entry.cache_ratio)
  const written = newest('CreateCacheRatio', entry.create_cache_ratio)
  const image = newest('ImageRatio', entry.image_ratio)
  const audio = newest('AudioRatio', entry.audio_ratio)
  const audioOutput = newest('AudioCompletionRatio', entry.audio_completion_ratio)
  // There a token of spoken output costs input × both ratios; here its ratio multiplies the price of output.
  const hasSpeech = audio !== undefined || audioOutput !== undefined
  const speech = hasSpeech ? rounded(((audio ?? 1) * (audioOutput ?? 1)) / completion) : undefined
  if (hasSpeech && completion === 0)
    note('its output costs nothing, so that the ratio of spoken output cannot be carried')
  const ratios = {
    ...(cached !== undefined && { cached_tokens: cached, cached_read_tokens: cached }),
    ...(written !== undefined && { cached_write_tokens: written }),
    ...(image !== undefined && { input_image_tokens: image }),
    ...(audio !== undefined && { input_audio_tokens: audio }),
    ...(speech !== undefined && completion !== 0 && { output_audio_tokens: speech }),
  }
  return Object.keys(ratios).length > 0 ? ratios : null
}

/** Products of decimals have digits that nobody entered. */
const rounded = (value: number): number => Number(value.toPrecision(12))
