import {
  type ChannelCache,
  type ChannelFigures,
  type ChannelHealth,
  emptyAnswer,
} from '@hub/contract'
import { countProposals } from '../../channel-tests/index.ts'
import { type App, nowSeconds } from '../../core/app.ts'
import { readCurrentUsage } from '../../core/usage/current-usage.ts'
import { readFailedAttempts } from '../../core/usage/failed-attempts.ts'
import { makeCacheFigures, noCacheSums } from '../../core/usage/prompt-cache.ts'
import { cacheRange } from '../../core/usage/store-cache-sums.ts'
import { findCountedUntil } from '../../core/usage/store-sums.ts'
import { withDeadline } from '../../db/engines/deadline.ts'
import { sumChannelCache } from '../../db/queries/cache-sums.ts'
import {
  type CallSums,
  type ChannelSpan,
  listPercentiles,
  type Percentile,
  sumCalls,
} from '../../db/queries/channel-figures.ts'
import { getChannel } from './channel.ts'

const periods = { hour: { step: 300, steps: 12 }, day: { step: 3_600, steps: 24 } }

type Totals = ChannelFigures['totals']
type CountedFailure = { at: number; code: string; count: number }

/** Reads the figures of a channel from the log rows of the last hour or day, up to the current step. */
export const readFigures = async (
  app: App,
  { id, period }: { id: number; period: keyof typeof periods },
): Promise<ChannelFigures> => {
  await getChannel(app.db, id)
  const { step, steps } = periods[period]
  const end = (Math.floor(nowSeconds(app) / step) + 1) * step
  const span: ChannelSpan = { channelId: id, step, begin: end - step * steps, end }
  const { sums, durations, firstBytes } = await withDeadline(app.db, async db => ({
    sums: await sumCalls(db, span),
    durations: await listPercentiles(db, span, 'request_time'),
    firstBytes: await listPercentiles(db, span, 'first_byte'),
  }))
  const { failures, isComplete } = await readFailures(app, span, sums)
  const points = Array.from({ length: steps }, (_, at) => {
    const begin = span.begin + at * step
    return {
      begin,
      ...figuresOf(
        sums.filter(each => each.begin === begin),
        failures.filter(each => each.at >= begin && each.at < begin + step),
        { duration: durations.bySteps.get(begin), firstByte: firstBytes.bySteps.get(begin) },
      ),
    }
  })
  return {
    ...{ begin: span.begin, end, points, logging: app.settings().logs.LogConsumeEnabled },
    failures_complete: isComplete,
    totals: figuresOf(sums, failures, { duration: durations.all, firstByte: firstBytes.all }),
    failures: byCode(failures),
  }
}

const none: Percentile = { p50: null, p95: null }
type Times = { duration: Percentile | undefined; firstByte: Percentile | undefined }

const figuresOf = (
  sums: readonly CallSums[],
  failures: readonly CountedFailure[],
  { duration = none, firstByte = none }: Times,
): Totals => {
  const total = (name: keyof CallSums) => sums.reduce((all, each) => all + each[name], 0)
  const milliseconds = total('streamedMilliseconds')
  return {
    requests: total('requests'),
    failed: countOf(failures.filter(each => each.code !== emptyAnswer)),
    empty: countOf(failures.filter(each => each.code === emptyAnswer)),
    charged: total('charged'),
    prompt_tokens: total('promptTokens'),
    completion_tokens: total('completionTokens'),
    cached_tokens: total('cachedTokens'),
    saved: Math.round(total('saved')),
    first_byte: firstByte,
    duration,
    tokens_per_second: milliseconds > 0 ? total('streamedTokens') / (milliseconds / 1_000) : null,
  }
}

const countOf = (attempts: readonly { count: number }[]): number =>
  attempts.reduce((all, each) => all + each.count, 0)

/** Reads the last 24 hours of several channels: answered calls from the sums of usage, failures from the log rows. */
export const readHealth = async (app: App, ids: readonly number[]): Promise<ChannelHealth> => {
  const { step, steps } = periods.day
  const end = (Math.floor(nowSeconds(app) / step) + 1) * step
  const begin = end - step * steps
  const usage = await readCurrentUsage(app, begin)
  const { attempts, isComplete } = await readFailedAttempts(app.db, { begin, end })
  const proposed = await countProposals(app)
  const channels = ids.map((id): ChannelHealth['channels'][number] => ({
    id,
    hours: [],
    proposed: proposed.get(id) ?? { added: 0, removed: 0 },
  }))
  for (let at = begin; at < end; at += step) {
    const answered = await usage.quarterHoursByKey('channel', { begin: at, end: at + step })
    const ofHour = attempts.filter(each => each.at >= at && each.at < at + step)
    const byChannel = Map.groupBy(ofHour, each => each.channel_id)
    for (const { id, hours } of channels) {
      const own = byChannel.get(id) ?? []
      hours.push({
        requests: answered.get(String(id))?.requests ?? 0,
        failed: countOf(own.filter(each => each.code !== emptyAnswer)),
        empty: countOf(own.filter(each => each.code === emptyAnswer)),
      })
    }
  }
  return { begin, complete: isComplete && usage.isComplete, channels }
}

const readFailures = async (app: App, span: ChannelSpan, sums: readonly CallSums[]) => {
  const { attempts, isComplete } = await readFailedAttempts(app.db, span)
  const own = attempts.filter(each => each.channel_id === span.channelId)
  const broken = sums
    .filter(each => each.broken > 0)
    .map(each => ({ at: each.begin, code: 'upstream.broken', count: each.broken }))
  return { failures: [...own, ...broken], isComplete }
}

const byCode = (failures: readonly CountedFailure[]): ChannelFigures['failures'] => {
  const counts = new Map<string, number>()
  for (const { code, count } of failures)
    if (code !== emptyAnswer) counts.set(code, (counts.get(code) ?? 0) + count)
  return [...counts]
    .map(([code, count]) => ({ code, count }))
    .toSorted((a, b) => b.count - a.count || (a.code < b.code ? -1 : 1))
}

/** Reads what the prompt cache of a channel read and missed in the last 7 days, out of sums by hour. */
export const readChannelCache = async (app: App, id: number): Promise<ChannelCache> => {
  await getChannel(app.db, id)
  const { begin } = cacheRange(nowSeconds(app))
  const models = (await sumChannelCache(app.db, id, begin)).toSorted(
    (a, b) => b.prompt_tokens - a.prompt_tokens || (a.model < b.model ? -1 : 1),
  )
  const totals = models.reduce<typeof noCacheSums>(
    (sums, each) => ({
      requests: sums.requests + each.requests,
      prompt_tokens: sums.prompt_tokens + each.prompt_tokens,
      read_tokens: sums.read_tokens + each.read_tokens,
      written_tokens: sums.written_tokens + each.written_tokens,
      expecting: sums.expecting + each.expecting,
      missing: sums.missing + each.missing,
      missed_tokens: sums.missed_tokens + each.missed_tokens,
      missed_points: sums.missed_points + each.missed_points,
    }),
    noCacheSums,
  )
  return {
    begin,
    until: (await findCountedUntil(app.db)) ?? null,
    totals: makeCacheFigures(totals),
    models: models.map(each => ({ model: each.model, ...makeCacheFigures(each) })),
  }
}
