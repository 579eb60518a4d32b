import { hash } from 'node:crypto'
import { Fault, type ParameterRule, StoredParameterRules } from '@hub/contract'
import { type DialectId, findModel, type SystemPrompt } from '@hub/dialects'
import {
  hasListPrices,
  type Provider,
  providerOf,
  readStatusCodes,
  unavailableReasonOf,
} from '@hub/providers'
import type { UpstreamBill } from '../../billing/open-hold.ts'
import type { App } from '../../core/app.ts'
import type { RelayChannelRow } from '../../db/queries/relay-channels.ts'
import { operatorAsksReasoning } from './asked-reasoning.ts'
import { type ChannelKeys, decodeKeys, type KeyRotation } from './keys.ts'
import { openSecret } from './secrets.ts'

/** Fields that an operator merges into every body of a channel. */
export type CustomParameter = Readonly<Record<string, unknown>>

/** A system prompt of the channel, with a cautious number of its tokens. */
export type ChannelPrompt = SystemPrompt & { tokens: number }

/** A channel as the relay uses it, decoded once after each change. */
export type Channel = ChannelKeys & {
  id: number
  name: string
  provider: Provider
  baseUrl: string
  /** It is the vendor's own service, where the vendor's published prices hold. */
  hasListPrices?: boolean
  other: string
  options: Readonly<Record<string, Record<string, unknown>>>
  keyRotation: KeyRotation
  proxy: string
  groups: readonly string[]
  models: readonly string[]
  priority: number
  weight: number
  /** Requested name to target; a target that begins with `+` is billed as requested. */
  mapping: ReadonlyMap<string, string>
  /** Sent with every request to the vendor. */
  requestHeaders: Readonly<Record<string, string>>
  customParameter: CustomParameter | undefined
  /** Stands in every chat that it serves. */
  systemPrompt?: ChannelPrompt | undefined
  /** The status that stands for one of the upstream's. */
  statusCodes?: ReadonlyMap<number, number> | undefined
  /** Callers of chat completions get thoughts as text. */
  thoughtsAsText?: boolean
  /** Change requests under conditions, after the custom parameter. */
  parameterRules?: readonly ParameterRule[] | undefined
  /** Custom parameter or rules may make a model reason whatever the caller says. */
  asksReasoning?: boolean
  onlyChat: boolean
  /** A dialect that its upstream lacks although its provider has it: many third-party relays know only openai-chat. */
  unsupportedDialect: DialectId | undefined
  /** Fields that only the caller's dialect knows are sent to an upstream of another dialect too. */
  keepsUnknownFields: boolean
  /** The part of the prompt that is reserved: 1 all of it, 2 all but images, 3 nothing. */
  preCost: 1 | 2 | 3
  /** Models that it must not stream. */
  unstreamableModels: ReadonlySet<string>
  /** The tokens that a prompt of a model may have; a name may end in `*`. */
  contextSizes: ReadonlyMap<string, number>
  testModel: string
  /** A hash of the row it was decoded from: an equal one means a channel of which at most the states of keys changed. */
  fingerprint: string
}

/** The fault of a channel type that cannot be called, with the vendor's announcement where its service has ended. */
export const unusableProvider = (type: number): Fault => {
  const hint = unavailableReasonOf(type)
  return new Fault('provider.unknown', hint === undefined ? {} : { hint })
}

/** Returns undefined and logs why where a row cannot be used: one bad channel must not stop the others. */
export const decodeChannel = (
  app: Pick<App, 'seal' | 'log'>,
  row: RelayChannelRow,
): Channel | undefined => {
  const provider = providerOf(row.type)
  if (!provider) {
    const notice = unavailableReasonOf(row.type) ?? 'this channel type cannot be used yet'
    app.log.warn({ channel: row.id, type: row.type }, notice)
    return undefined
  }
  try {
    const secrets = secretFields(app, row)
    const isListed = hasListPrices(provider, row.base_url)
    const decoded = { ...plainFields(row), ...secrets, ...decodeKeys(app, row) }
    return { ...decoded, provider, hasListPrices: isListed }
  } catch (error) {
    app.log.error({ channel: row.id, err: error }, 'this channel cannot be read')
    return undefined
  }
}

const plainFields = (row: RelayChannelRow) => ({
  id: row.id,
  name: row.name,
  baseUrl: row.base_url,
  other: row.other,
  ...optionFields(objectOf(row.plugin) as Channel['options']),
  groups: listOf(row.group),
  models: listOf(row.models),
  priority: row.priority,
  weight: row.weight,
  mapping: new Map(Object.entries(objectOf(row.model_mapping) as Record<string, string>)),
  onlyChat: row.only_chat === 1,
  unsupportedDialect: row.compatible_response === 1 ? ('openai-responses' as const) : undefined,
  keepsUnknownFields: row.allow_extra_body === 1,
  preCost: row.pre_cost as Channel['preCost'],
  unstreamableModels: new Set(JSON.parse(row.disabled_stream || '[]') as string[]),
  contextSizes: new Map(
    Object.entries(objectOf(row.context_sizes)).map(([model, size]) => [model, Number(size)]),
  ),
  testModel: row.test_model,
  keyRotation: row.key_rotation as KeyRotation,
  fingerprint: fingerprintOf(row),
})

const optionFields = (options: Channel['options']) => ({
  options,
  systemPrompt: channelPromptOf(options.system_prompt),
  statusCodes: statusCodesOf(options.answers?.status_codes),
  thoughtsAsText: options.answers?.thoughts_as_text === true,
})

const statusCodesOf = (text: unknown): Channel['statusCodes'] => {
  const codes = typeof text === 'string' ? readStatusCodes(text) : undefined
  return codes && codes.size > 0 ? codes : undefined
}

const bytesPerToken = 3
/** A message of its own has a role and separators. */
const tokensPerMessage = 8

const channelPromptOf = (option: Record<string, unknown> = {}): ChannelPrompt | undefined => {
  const { text, position = 'before' } = option
  if (typeof text !== 'string' || text.trim() === '') return undefined
  const tokens = Math.ceil(Buffer.byteLength(text) / bytesPerToken) + tokensPerMessage
  return { text, position: position as ChannelPrompt['position'], tokens }
}

const secretFields = (app: Pick<App, 'seal'>, row: RelayChannelRow) => {
  const parameter = openSecret(app, row, 'custom_parameter')
  const customParameter = parameter ? objectOf(parameter) : undefined
  const parameterRules = customParameter?.rules
    ? StoredParameterRules.parse(customParameter.rules)
    : undefined
  return {
    proxy: openSecret(app, row, 'proxy'),
    requestHeaders: objectOf(openSecret(app, row, 'model_headers')) as Record<string, string>,
    customParameter,
    parameterRules,
    asksReasoning:
      customParameter !== undefined && operatorAsksReasoning(customParameter, parameterRules),
  }
}

export const fingerprintOf = (row: RelayChannelRow): string =>
  hash(
    'sha256',
    JSON.stringify({
      ...row,
      version: 0,
      key_states: [],
      test_time: 0,
      test_error: '',
      test_kind: '',
      response_time: 0,
      balance: 0,
      balance_currency: '',
      balance_updated_time: 0,
      status_reason: '',
    }),
    'base64',
  )

/** The channel lists the model, by its name or by a prefix that ends in `*`. */
export const servesModel = ({ models }: Pick<Channel, 'models'>, model: string): boolean =>
  models.some(each => (each.endsWith('*') ? model.startsWith(each.slice(0, -1)) : each === model))

/** The longest prompt of a model in tokens: an exact name wins over any prefix, a longer prefix over a shorter one. */
export const contextSizeOf = (
  { contextSizes }: Pick<Channel, 'contextSizes'>,
  model: string,
): number | undefined => {
  if (contextSizes.size === 0) return undefined
  const exact = contextSizes.get(model)
  if (exact !== undefined) return exact
  let longest = -1
  let found: number | undefined
  for (const [name, size] of contextSizes) {
    const length = name.length - 1
    if (!name.endsWith('*') || length <= longest || !model.startsWith(name.slice(0, -1))) continue
    longest = length
    found = size
  }
  return found
}

/** Tokens: twice the shortest context of a listed model that answers with text. Shorter prompts need no search. */
const surelyFits = 16_384

/**
 * True for a chat that the documents of the model's vendor say is too long. The context counts twice, because the estimate
 * is cautious. A channel may serve another model under that name, so that this only prefers other channels.
 */
export const seemsTooLong = (channel: Channel, model: string, promptTokens: number): boolean => {
  if (promptTokens <= surelyFits || contextSizeOf(channel, model) !== undefined) return false
  const { context, outputs } = findModel(upstreamModelOf(channel, model)) ?? {}
  return context !== undefined && outputs?.includes('text') === true && promptTokens > 2 * context
}

/** The entries of a column that separates them by commas. */
export const listOf = (text: string): string[] => [
  ...new Set(
    text
      .split(',')
      .map(each => each.trim())
      .filter(Boolean),
  ),
]

const objectOf = (text: string): Record<string, unknown> => (text ? JSON.parse(text) : {})

/** The model's name at the channel's upstream. */
export const upstreamModelOf = ({ mapping }: Pick<Channel, 'mapping'>, model: string): string => {
  const target = mapping.get(model)
  if (target === undefined) return model
  return target.startsWith('+') ? target.slice(1) : target
}

/** The model that a call is billed as: the mapping's target, unless the target begins with `+`. */
export const billedModelOf = (channel: Channel, model: string): string => {
  const target = channel.mapping.get(model)
  return target === undefined || target.startsWith('+') ? model : target
}

/** Makes the bill of the vendor behind a channel for a call that it was sent. */
export const billOf = (
  { provider, hasListPrices: isListed = false }: Pick<Channel, 'provider' | 'hasListPrices'>,
  billed: Pick<UpstreamBill, 'upstreamModel' | 'usage' | 'ratio'>,
): UpstreamBill => ({ ...billed, channelType: provider.type, hasListPrices: isListed })
