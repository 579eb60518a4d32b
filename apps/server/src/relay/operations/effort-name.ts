import type { ParsedRequest } from '@hub/dialects'
import { callerEffortEdits, type EffortLevel, isDialect, saysEffort } from '@hub/dialects'
import { priceCache } from '../../billing/price-cache.ts'
import type { App } from '../../core/app.ts'
import { findVirtualModel } from '../channels/virtual-models.ts'
import type { AuthenticatedContext, ReadContext } from '../context.ts'
import { type ChannelIndex, channelIndex, findCandidates } from '../routing/channel-index.ts'
import type { Operation } from './operation.ts'

const endings: Readonly<Record<string, EffortLevel>> = {
  ...{ thinking: 'on', nothinking: 'off' },
  ...{ minimal: 'minimal', low: 'low', medium: 'medium', high: 'high', xhigh: 'xhigh' },
}
const pattern = /^(.+)-(thinking|nothinking|minimal|low|medium|high|xhigh)$/

type NamedEffort = { model: string; level: EffortLevel }

/**
 * The model and the effort that a name such as `gpt-5-high` stands for. Undefined where a channel lists the whole name, a
 * virtual model or a price has it, or no channel serves what is left of it.
 */
export const splitEffort = async (
  app: App,
  { caller }: Pick<AuthenticatedContext, 'caller'>,
  name: string,
): Promise<NamedEffort | undefined> => {
  const [, model, ending] = pattern.exec(name) ?? []
  if (model === undefined) return undefined
  const index = await channelIndex(app).get()
  const isModel =
    findVirtualModel(app, name) !== undefined ||
    [...index.byGroup.values()].some(({ exact }) => exact.has(name)) ||
    priceCache(app).find(name, caller.group)?.model === name
  return isModel || !isServed(app, index, model) ? undefined : { model, level: endings[ending!]! }
}

const isServed = (app: App, index: ChannelIndex, model: string): boolean =>
  findVirtualModel(app, model) !== undefined ||
  [...index.byGroup.keys()].some(group => findCandidates(index, group, model) !== undefined)

/**
 * Cuts the effort off the name of a chat's model, and writes it into the request as its caller would. A request that says
 * an effort itself keeps its own.
 */
export const cutEffort = async (
  app: App,
  context: AuthenticatedContext,
  operation: Operation,
  parsed: ParsedRequest,
): Promise<ParsedRequest> => {
  const { dialect } = context
  if (operation.endpoints !== 'chat' || !isDialect(dialect)) return parsed
  const named = await splitEffort(app, context, parsed.model)
  if (!named) return parsed
  const { model, level } = named
  if (saysEffort(parsed)) return { ...parsed, model, isModelReplaced: true }
  return withEffort(context, operation, { ...parsed, model }, level)
}

/** The request with an effort, read again: holds, routing and translations see it as the caller's own. */
export const withEffort = (
  context: AuthenticatedContext,
  operation: Pick<Operation, 'read'>,
  parsed: ParsedRequest,
  level: EffortLevel,
): ParsedRequest => {
  const { dialect, pathParams } = context
  if (!isDialect(dialect)) return parsed
  const { model, modelSuffix } = parsed
  const body = dialect.splice(parsed, {
    ...(parsed.fieldRanges.has('model') ? { model } : {}),
    ...callerEffortEdits(dialect.id, parsed, level),
  })
  const path = pathParams && { ...pathParams, model }
  const read = operation.read({ ...context, pathParams: path }, body)
  return { ...read, model, ...(modelSuffix === undefined ? {} : { modelSuffix }), effort: level }
}

/** The call with the effort of a virtual model's candidate, unless the request says its own. */
export const withDefaultEffort = (
  context: ReadContext,
  operation: Operation,
  level: EffortLevel,
): ReadContext => {
  const { parsed } = context
  if (operation.endpoints !== 'chat' || saysEffort(parsed)) return context
  return { ...context, parsed: withEffort(context, operation, parsed, level) }
}
