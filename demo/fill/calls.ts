import type { FailedAttempt, RouteNote } from '@hub/contract'
import { addressOf } from '@hub/contract/call-operations'
import { inputTokens } from '@hub/dialects/usage'
import { usageOf } from '../../apps/server/src/billing/usage.ts'
import { withHold } from '../../apps/server/src/billing/with-hold.ts'
import { channels, groupsOf, modelsOf } from '../world/channels.ts'
import { type DemoModel, models } from '../world/models.ts'
import type { Style } from '../world/person.ts'
import type { Random } from '../world/random.ts'
import { type Account, sessionOf } from './accounts.ts'
import type { FillHub } from './hub.ts'
import type { ChannelRow } from './site.ts'

/** A call as it is decided before it is written. */
export type PlannedCall = {
  /** Seconds. */
  at: number
  account: Account
  keyIndex: number
  model: DemoModel
}

/** By hour of the day, in UTC: three offices in different parts of the world. */
const hours = [3, 4, 6, 8, 9, 9, 9, 10, 13, 17, 19, 19, 17, 18, 20, 20, 18, 15, 11, 8, 6, 4, 3, 3]
const weekendShare = 0.34

const pathOf = ({ operation, owner }: DemoModel, style: Style): string => {
  if (operation) return addressOf(operation)!
  if (owner === 14 && style === 'agent') return '/v1/messages'
  if (owner === 1 && style === 'agent') return '/v1/responses'
  return '/v1/chat/completions'
}

const isWeekendAt = (date: Date): boolean => [0, 6].includes(date.getUTCDay())

const stepsMax = 8

/** The calls of one day in the order of their times. */
export const planDay = (
  random: Random,
  day: { begin: number; end: number; calls: number; accounts: readonly Account[] },
): PlannedCall[] => {
  const weightAt = (offset: number) => {
    const date = new Date((day.begin + offset * 3_600) * 1_000)
    return hours[date.getUTCHours()]! * (isWeekendAt(date) ? weekendShare : 1)
  }
  const offsets = hours.map((_, offset) => offset)
  const weights = offsets.map(weightAt)
  const usual = hours.reduce((sum, each) => sum + each, 0)
  const count = Math.round((day.calls * weights.reduce((sum, each) => sum + each, 0)) / usual)
  const planned: PlannedCall[] = []
  for (let n = 0; n < count; n += 1) {
    const offset = random.weighted(offsets, each => weights[each]!)
    const at = day.begin + offset * 3_600 + random.below(3_600)
    const isWeekend = isWeekendAt(new Date(at * 1_000))
    const account = random.weighted(day.accounts, each =>
      isWeekend && each.style !== 'app' ? each.weight / 3 : each.weight,
    )
    const keyIndex = random.below(4) === 0 ? account.keys.length - 1 : 0
    const model = random.weighted(models, each => each[account.style])
    const steps = account.style === 'agent' && random.below(4) === 0 ? random.below(stepsMax) : 0
    // Some calls of agents are the steps of one piece of work.
    for (let step = 0, next = at; step <= steps; step += 1, next += 20 + random.below(100))
      if (next < day.end) planned.push({ at: next, account, keyIndex, model })
    n += steps
  }
  return planned.sort((a, b) => a.at - b.at)
}

/** Each account calls within the last hour and, while the day is old enough, today: its dashboard begins with today. */
export const planRecent = (
  random: Random,
  end: number,
  accounts: readonly Account[],
): PlannedCall[] => {
  const seconds = Math.min(3_600, Math.max(60, end % 86_400))
  return accounts
    .flatMap(account =>
      Array.from({ length: 1 + random.below(3) }, () => ({
        at: end - 1 - random.below(seconds - 1),
        account,
        keyIndex: 0,
        model: random.weighted(models, each => each[account.style]),
      })),
    )
    .sort((a, b) => a.at - b.at)
}

type Route = {
  channelId: number
  attempts?: FailedAttempt[]
  route?: RouteNote
}

export type Router = {
  /** Chooses a channel as the gateway would. Undefined: no channel serves the model in the group. */
  pick(random: Random, call: PlannedCall): Route | undefined
}

/** Since so many seconds before the end, the failing channel refuses every call. */
export const failingSeconds = 3 * 86_400

export const makeRouter = (rows: readonly ChannelRow[], endSeconds: number): Router => ({
  pick: (random, { model, account, at }) => {
    const serving = channels.flatMap((channel, index) => {
      const isListed = modelsOf(channel).includes(model.name)
      return isListed && groupsOf(channel).split(',').includes(account.group)
        ? [{ channel, row: rows[index]! }]
        : []
    })
    const highest = Math.max(...serving.map(each => each.channel.priority))
    const first = serving.filter(each => each.channel.priority === highest)
    const chosen = first.length > 0 && random.weighted(first, each => each.channel.weight ?? 1)
    if (!chosen) return undefined
    const route =
      serving.length > 1
        ? { candidates: serving.length, priority: highest, drawn_from: first.length }
        : undefined
    const isFailing = chosen.channel.isFailing && at > endSeconds - failingSeconds
    if (!isFailing && random.below(90) > 0)
      return { channelId: chosen.row.id, ...(route && { route }) }
    const others = serving.filter(each => each !== chosen)
    if (others.length === 0) return isFailing ? undefined : { channelId: chosen.row.id }
    const milliseconds = isFailing ? 90 + random.below(160) : 400 + random.below(4_000)
    const attempt: FailedAttempt = {
      ...{ channel_id: chosen.row.id, channel: chosen.row.name, after: 1, milliseconds },
      ...(isFailing
        ? { code: 'upstream.credential', status: 401, detail: 'This API key was withdrawn.' }
        : {
            code: 'upstream.failed',
            status: 503,
            detail: 'The model is overloaded. Try again later.',
          }),
    }
    const second = random.pick(others)
    return {
      channelId: second.row.id,
      attempts: [attempt],
      route: {
        candidates: serving.length,
        priority: second.channel.priority,
        drawn_from: 1,
        after: milliseconds + 2,
      },
    }
  },
})

/** A part of each prompt of an agent is new. */
const cachedShare = 0.82
/** One prompt in so many is not found in the cache. */
const missEvery = 8

/** The prompt of an agent continues that of its session's last call, `before`. */
const usageFor = (
  random: Random,
  { prompt, completion, caches, reasons, owner }: DemoModel,
  style: Style,
  before: number | undefined,
) => {
  const scale = style === 'agent' ? 1 : style === 'app' ? 0.6 : 0.35
  const input =
    before === undefined ? random.skewed(prompt * scale) : before + 400 + random.below(2_400)
  const output = completion === 0 ? 0 : random.skewed(completion)
  const isAgent = caches && style === 'agent'
  const isRead = isAgent && random.below(missEvery) > 0
  const cacheRead = isRead ? (before ?? Math.round(input * cachedShare)) : 0
  const fresh = input - cacheRead
  const reasoning = reasons ? Math.round(output * random.share() * 0.8) : 0
  // Anthropic charges what it writes, and the others say that they read nothing.
  if (isAgent && owner === 14) return usageOf({ cacheWrite5m: fresh, cacheRead, output, reasoning })
  const usage = usageOf({ input: fresh, cacheRead, output, reasoning })
  return isAgent && !isRead ? { ...usage, uncached: true as const } : usage
}

/** Agents send what they did a moment ago; later they begin with another file. */
const continuesSeconds = 300
const promptMax = 150_000

/** Sessions of agents last for some hours. */
const sessionSeconds = 3 * 3_600

const lastPrompt = ({ account, model, at }: PlannedCall, session: string | undefined) => {
  const last = account.lastPrompts.get(`${session} ${model.name}`)
  const isContinued = last && at - last.at < continuesSeconds && last.tokens < promptMax
  return isContinued ? last.tokens : undefined
}

/** Reserves and charges a call as the relay does. Returns the points, or undefined where it is refused. */
export const makeCall = async (
  { app, at }: FillHub,
  random: Random,
  call: PlannedCall,
  { channelId, attempts, route }: Route,
): Promise<number | undefined> => {
  const { account, model, keyIndex } = call
  const caller = account.callers[keyIndex]!
  const slot = Math.floor(call.at / sessionSeconds)
  const session = account.style === 'agent' ? sessionOf(account.username, slot) : undefined
  const usage = usageFor(random, model, account.style, lastPrompt(call, session))
  if (session !== undefined)
    account.lastPrompts.set(`${session} ${model.name}`, {
      at: call.at,
      tokens: inputTokens(usage),
    })
  const output = usage.output + usage.reasoning
  const firstByteMs = random.skewed(model.firstMs, 0.4) + (route?.after ?? 0)
  const durationMs = firstByteMs + output * model.tokenMs * (0.7 + random.share() * 0.6)
  const stream = model.operation === undefined && (account.style !== 'app' || random.below(2) === 0)
  const isBroken = stream && random.below(150) === 0
  const sent = route?.after ?? 2
  const result = {
    ...{ model: model.name, requestedModel: model.name, channelId, usage, estimated: isBroken },
    finish: isBroken
      ? random.below(2)
        ? ('caller-left' as const)
        : ('upstream-broke' as const)
      : ('complete' as const),
    ...{ stream, firstByteMs: stream ? firstByteMs : durationMs, warnings: [] },
    bill: { upstreamModel: model.name, channelType: model.owner, hasListPrices: true },
    phases: {
      sent,
      connected: sent + 12 + random.below(60),
      head: Math.max(sent + 80, firstByteMs - 30),
    },
    path: pathOf(model, account.style),
    ...(attempts && { attempts }),
    ...(route && { route }),
  }
  const reservation = {
    ...{ models: [model.name], promptTokens: inputTokens(usage), outputMax: output },
    ...{ n: 1, stream },
  }
  return at(call.at, async () => {
    const startedAt = app.monotonic() - durationMs
    const started = { id: app.ledger.nextId(), caller, ip: account.ip, startedAt, session }
    const { charged } = await withHold(app, started, reservation, hold => hold.settle(result))
    return charged
  })
}
