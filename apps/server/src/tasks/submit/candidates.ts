import { Fault } from '@hub/contract'
import type { LinkedMedia } from '@hub/dialects'
import type { VideoRequest } from '@hub/providers'
import { type PlannedTask, type TaskRequest, unpricedMetadata } from '@hub/providers'
import type { App } from '../../core/app.ts'
import type { Caller } from '../../core/call.ts'
import { billedModelOf, type Channel, upstreamModelOf } from '../../relay/channels/channel.ts'
import type { ChannelKey } from '../../relay/channels/keys.ts'
import type { RequestContext } from '../../relay/context.ts'
import { type AuthenticatedContext, callerIn, type TokenChannels } from '../../relay/context.ts'
import { checkModelAllowed } from '../../relay/limits/admit.ts'
import { unpricedPolicyOf } from '../../relay/price-fields/check-fields.ts'
import { storingKeyOf } from '../../relay/references/owner.ts'
import { channelIndex, channelsFor } from '../../relay/routing/channel-index.ts'
import { type Candidates, makeCandidates } from '../../relay/routing/pick.ts'
import { fetchLinkedFiles } from '../../relay/upstream/linked-files.ts'
import { priceTask, type TaskPrice } from './pricing.ts'

/** The account that must serve a task, because an earlier one is there. */
export type TaskAccount = { channelId: number; credential: string }

export type TaskCriteria = {
  /** The names that channels may list it under, most specific first. */
  models: readonly string[]
  request: Omit<TaskRequest, 'model'>
  account?: TaskAccount | undefined
}

type ValidPlan = Extract<PlannedTask, { invalid?: undefined }>

/** A task as one channel would make it, and what it costs there. */
export type ChannelPlan = ValidPlan & { upstreamModel: string; quote: TaskPrice }

export type TaskTarget = {
  model: string
  /** In the group that the task is charged in. */
  caller: Caller
  candidates: Candidates
  plans: ReadonlyMap<number, ChannelPlan>
  /** Set where only one account may serve it. */
  key: ChannelKey | undefined
  mostExpensive: TaskPrice
}

/** Finds the channels that can make the task at a known price. Throws why none can. */
export const resolveTask = async (
  app: App,
  context: AuthenticatedContext,
  { models, request, account }: TaskCriteria,
): Promise<TaskTarget> => {
  context.record.requestedModel ??= models.at(-1)
  const { model, channels, group } = await findChannels(app, context, models, account)
  const caller = callerIn(context.caller, group)
  const plans = new Map<number, ChannelPlan>()
  let problem: Fault | undefined
  let linked: Promise<TaskCriteria['request']> | undefined
  for (const channel of channels)
    try {
      const { imagesAsBytes } = channel.provider.tasks ?? {}
      if (imagesAsBytes) linked ??= withImageBytes(app, context, request)
      const plan = planFor(app, caller, {
        ...{ channel, model },
        request: (imagesAsBytes && (await linked)) || request,
      })
      if (plan) plans.set(channel.id, plan)
    } catch (error) {
      if (!(error instanceof Fault)) throw error
      problem ??= error
    }
  const usable = channels.filter(each => plans.has(each.id))
  if (usable.length === 0)
    throw problem ?? new Fault('operation.unsupported', { hint: `Model: ${model.slice(0, 200)}.` })
  const quotes = [...plans.values()].map(each => each.quote)
  return {
    model,
    caller,
    plans,
    candidates: makeCandidates(usable),
    key: account && storingKeyOf(usable[0]!, account.credential),
    mostExpensive: quotes.reduce((most, each) => (each.points > most.points ? each : most)),
  }
}

type FoundChannels = { model: string; group: string; channels: readonly Channel[] }

const findChannels = async (
  app: App,
  context: AuthenticatedContext,
  models: readonly string[],
  account: TaskAccount | undefined,
): Promise<FoundChannels> => {
  const last = models.at(-1)!
  const { token } = context
  const allowed = models.find(each => !token.models || token.models.has(each))
  if (allowed === undefined) checkModelAllowed(token, last)
  if (account) {
    const channel = (await channelIndex(app).get()).byId.get(account.channelId)
    const hasKey = channel && storingKeyOf(channel, account.credential)
    if (!channel || !hasKey) throw new Fault('stored.unavailable')
    return { model: last, group: context.caller.group, channels: [channel] }
  }
  for (const model of models) {
    const found = await listedChannels(app, context, model, model === last)
    if (!found) continue
    const { group, candidates } = found
    return { model, group, channels: candidates.tiers.flatMap(each => each.channels) }
  }
  throw new Fault('model.unknown')
}

/** Undefined: no channel lists this name, and there is another one. */
const listedChannels = async (
  app: App,
  context: AuthenticatedContext,
  model: string,
  isLast: boolean,
): Promise<TokenChannels | undefined> => {
  try {
    return await channelsFor(app, context, model)
  } catch (error) {
    if (isLast || !(error instanceof Fault) || error.code !== 'model.unknown') throw error
    return undefined
  }
}

type Planning = { channel: Channel; model: string; request: Omit<TaskRequest, 'model'> }

/** A price per call does not follow what fields of the vendor cost, so that unknown ones are refused or removed. */
const planFor = (app: App, caller: Caller, planning: Planning) => {
  const plan = planOnce(app, caller, planning)
  const { channel, request } = planning
  if (!plan || !request.video || plan.quote.price.type !== 'times') return plan
  const { metadata } = request.video
  const unpriced = unpricedMetadata(metadata)
  const policy = unpricedPolicyOf(channel)
  if (unpriced.length === 0 || policy === 'allow') return plan
  if (policy === 'refuse')
    throw new Fault('request.price_field', {
      hint: `'metadata.${unpriced[0]!.slice(0, 60)}': this model has a price per call.`,
    })
  const kept = Object.entries(metadata).filter(([name]) => !unpriced.includes(name))
  const video = { ...request.video, metadata: Object.fromEntries(kept) }
  return planOnce(app, caller, { ...planning, request: { ...request, video } })
}

/** Undefined: the vendor does not have this interface. */
const planOnce = (
  app: App,
  caller: Caller,
  { channel, model, request }: Planning,
): ChannelPlan | undefined => {
  const { tasks } = channel.provider
  if (!tasks?.apis.includes(request.api)) return undefined
  if (request.api === 'video' && request.origin && !tasks.remixes)
    throw new Fault('operation.unsupported', { hint: 'This provider remixes no videos.' })
  const upstreamModel = upstreamModelOf(channel, model)
  const { baseUrl, options } = channel
  const plan = tasks.plan({ ...request, model: upstreamModel, channel: { baseUrl, options } })
  if (plan.invalid !== undefined) throw new Fault('request.invalid', { hint: plan.invalid })
  const billedModel = billedModelOf(channel, model)
  const quote = priceTask(app, { pricing: plan.pricing, billedModel, group: caller.group })
  return { ...plan, upstreamModel, quote }
}

/** Replaces linked images of a request by data URIs. Throws `request.link` for one that cannot be fetched. */
const withImageBytes = async <Request extends { video?: VideoRequest | undefined }>(
  app: App,
  context: RequestContext,
  request: Request,
): Promise<Request> => {
  const { video } = request
  if (!video) return request
  const links = new Map<string, LinkedMedia>()
  for (const url of [video.image, video.lastImage])
    if (url !== undefined && !url.startsWith('data:'))
      links.set(url, { type: 'media', mime: 'image/*', url })
  await fetchLinkedFiles(app, context, [...links.values()])
  const bytesOf = (image: string | undefined): string | undefined => {
    const link = image === undefined ? undefined : links.get(image)
    return link ? `data:${link.mime};base64,${link.base64}` : image
  }
  const images = { image: bytesOf(video.image), lastImage: bytesOf(video.lastImage) }
  return { ...request, video: { ...video, ...images } }
}
