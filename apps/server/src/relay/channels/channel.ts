import type { DialectId } from '@hub/dialects'
import { type Provider, providerOf } from '@hub/providers'
import type { App } from '../../core/app.ts'
import type { ChannelRow } from '../../db/queries/relay-channels.ts'
import type { CustomParameter } from '../upstream/custom-parameter.ts'

/** A channel as the path uses it: decoded once, when it was changed. */
export type Channel = {
  id: number
  name: string
  provider: Provider
  baseUrl: string
  other: string
  options: Readonly<Record<string, Record<string, unknown>>>
  /** At least one. */
  credentials: readonly string[]
  proxy: string
  groups: readonly string[]
  models: readonly string[]
  priority: number
  weight: number
  /** Requested name to target; a target that begins with `+` is billed as requested. */
  mapping: ReadonlyMap<string, string>
  headers: Readonly<Record<string, string>>
  customParameter: CustomParameter | undefined
  onlyChat: boolean
  /** What its upstream does not speak, though its provider does: many relays know only openai-chat. */
  lacks: DialectId | undefined
  /** Fields that only the caller's dialect knows go on to an upstream of another. */
  keepsExtra: boolean
  /** Of the prompt is reserved: 1 all of it, 2 without images, 3 nothing. */
  preCost: 1 | 2 | 3
  /** Models it must not stream. */
  streamless: ReadonlySet<string>
  testModel: string
  /** The row it was made from, as text: the same text, the same channel. */
  row: string
}

/** Undefined, and said in the log, where a row cannot be used: one bad channel must not stop the others. */
export const decodeChannel = (app: App, row: ChannelRow): Channel | undefined => {
  const provider = providerOf(row.type)
  if (!provider) {
    app.log.warn({ channel: row.id, type: row.type }, 'this channel type cannot be used yet')
    return undefined
  }
  try {
    return { ...plainFields(row), provider, credentials: openCredentials(app, row) }
  } catch (error) {
    app.log.error({ channel: row.id, err: error }, 'this channel cannot be read')
    return undefined
  }
}

const plainFields = (row: ChannelRow) => ({
  id: row.id,
  name: row.name,
  baseUrl: row.base_url,
  other: row.other,
  options: objectOf(row.plugin) as Record<string, Record<string, unknown>>,
  proxy: row.proxy,
  groups: listOf(row.group),
  models: listOf(row.models),
  priority: row.priority,
  weight: row.weight,
  mapping: new Map(Object.entries(objectOf(row.model_mapping) as Record<string, string>)),
  headers: objectOf(row.model_headers) as Record<string, string>,
  customParameter: row.custom_parameter ? objectOf(row.custom_parameter) : undefined,
  onlyChat: row.only_chat === 1,
  lacks: row.compatible_response === 1 ? ('openai-responses' as const) : undefined,
  keepsExtra: row.allow_extra_body === 1,
  preCost: row.pre_cost as Channel['preCost'],
  streamless: new Set(JSON.parse(row.disabled_stream || '[]') as string[]),
  testModel: row.test_model,
  row: textOf(row),
})

export const openCredentials = (
  app: App,
  row: Pick<ChannelRow, 'id' | 'key_sealed'>,
): readonly string[] => {
  const text = app.seal.open('channel-key', `channels.key_sealed:${row.id}`, row.key_sealed)
  const list = JSON.parse(text) as string[]
  return list.length > 0 ? list : ['']
}

/** What a test or a balance check writes does not make another channel. */
export const textOf = (row: ChannelRow): string =>
  JSON.stringify({
    ...row,
    test_time: 0,
    response_time: 0,
    balance: 0,
    balance_currency: '',
    balance_updated_time: 0,
    status_reason: '',
  })

const listOf = (text: string): string[] => [
  ...new Set(
    text
      .split(',')
      .map(each => each.trim())
      .filter(Boolean),
  ),
]

const objectOf = (text: string): Record<string, unknown> => (text ? JSON.parse(text) : {})

export const sentAs = (channel: Channel, model: string): string => {
  const target = channel.mapping.get(model)
  if (target === undefined) return model
  return target.startsWith('+') ? target.slice(1) : target
}

export const billedAs = (channel: Channel, model: string): string => {
  const target = channel.mapping.get(model)
  return target === undefined || target.startsWith('+') ? model : target
}
