import type { DialectId } from '@hub/dialects'
import type { TokenCountEndpoint } from '@hub/providers'
import type { App } from '../../core/app.ts'
import { type Channel, upstreamModelOf } from '../channels/channel.ts'
import { type AuthenticatedContext, chatDialect } from '../context.ts'
import { cooldownEnd } from './cooldown.ts'
import { type Candidates, pick } from './pick.ts'

type Criteria = { model: string; hasTools: boolean; candidates: Candidates }

/** Picks a channel whose vendor counts tokens in the caller's dialect; undefined where none is usable. */
export const pickCounter = (
  app: App,
  context: AuthenticatedContext,
  { model, hasTools, candidates }: Criteria,
): { channel: Channel; counter: TokenCountEndpoint } | undefined => {
  const { forcedChannel, operation } = context
  const dialect = chatDialect(context).id
  const channels = candidates.tiers.flatMap(each => each.channels)
  const excluded = new Set(
    channels.filter(each => !counterOf(each, model, dialect)).map(each => each.id),
  )
  if (forcedChannel?.except !== undefined) excluded.add(forcedChannel.except)
  const channel = pick(candidates, {
    model,
    operation,
    hasTools,
    stream: false,
    excluded,
    cooldownEnd: cooldownEnd(app),
    random: Math.random,
  })
  const counter = channel && counterOf(channel, model, dialect)
  return channel && counter ? { channel, counter } : undefined
}

const counterOf = (
  channel: Channel,
  model: string,
  dialect: DialectId,
): TokenCountEndpoint | undefined => {
  const { provider, unsupportedDialect } = channel
  const counter = unsupportedDialect === dialect ? undefined : provider.tokenCounting?.[dialect]
  return counter?.onlyModels && !counter.onlyModels.test(upstreamModelOf(channel, model))
    ? undefined
    : counter
}
