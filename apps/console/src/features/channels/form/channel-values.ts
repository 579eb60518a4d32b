import {
  type Channel,
  ChannelFields,
  type ChannelSecret,
  channelSecrets,
  type NewChannel,
  type Provider,
} from '@hub/contract'
import type { z } from 'zod'
import { splitNames } from '../../../ui/form/names.ts'
import { addMappedModels, billedModels, isServed } from './stored-text.ts'

type NewValues = Omit<z.output<typeof NewChannel>, 'status'>

/** The form values: the fields of a channel, and its key and secrets as typed, which the API never returns. */
export type ChannelValues = Omit<NewValues, ChannelSecret> & SecretValues

/** Empty: not stored, or unchanged. Null: the stored value is removed. */
type SecretValues = Record<ChannelSecret, string | null>

const { proxy, model_headers, custom_parameter } = ChannelFields.shape

/** The schemas of the secret fields of a stored channel. */
export const editedSecrets = {
  proxy: proxy.unwrap().nullable().default(''),
  model_headers: model_headers.unwrap().nullable().default(''),
  custom_parameter: custom_parameter.unwrap().nullable().default(''),
}

export const defaultValuesFor = (provider: Provider | undefined): NewValues => ({
  type: provider?.type ?? 1,
  name: provider?.name ?? '',
  key: '',
  key_mode: 'channel_per_key',
  base_url: provider?.base_url ?? '',
  other: '',
  models: provider?.models.join(',') ?? '',
  group: 'default',
  tag: '',
  model_mapping: '',
  model_headers: '',
  custom_parameter: '',
  priority: 0,
  weight: 1,
  proxy: '',
  test_model: provider?.test_model ?? '',
  only_chat: false,
  pre_cost: 1,
  compatible_response: false,
  allow_extra_body: false,
  disabled_stream: [],
  context_sizes: '',
  plugin: {},
  key_rotation: 'random',
  prices: [],
})

/** The form values of a stored channel; an empty address becomes the provider's address. */
export const formValuesOf = (channel: Channel, provider: Provider | undefined): ChannelValues => {
  const blank = defaultValuesFor(provider)
  const entries = Object.keys(blank).map(key => [
    key,
    key === 'key' || isSecret(key) ? '' : channel[key as keyof Channel],
  ])
  const values = Object.fromEntries(entries) as ChannelValues
  const { key_mode, prices } = blank
  return { ...values, key_mode, prices, base_url: values.base_url || blank.base_url }
}

const isSecret = (key: string): key is ChannelSecret =>
  (channelSecrets as readonly string[]).includes(key)

/** After a type change, fields that are empty or still have the old type's default take the new default. */
export const defaultsForNewType = (
  values: ChannelValues,
  from: Provider | undefined,
  to: Provider,
): Partial<ChannelValues> => {
  const untouched = (value: string, before: string | undefined) => value === '' || value === before
  return {
    type: to.type,
    other: '',
    plugin: {},
    ...(untouched(values.name, from?.name) && { name: to.name }),
    ...(untouched(values.base_url, from?.base_url) && { base_url: to.base_url }),
    ...(untouched(values.models, from?.models.join(',')) && { models: to.models.join(',') }),
    ...(untouched(values.test_model, from?.test_model) && { test_model: to.test_model }),
  }
}

/**
 * Trims texts, removes a trailing slash of the address and adds mapped models to the model list. A test model or a price of
 * a model that was taken out goes too.
 */
export const normalizeValues = <V extends ChannelValues>(values: V): V => ({
  ...values,
  test_model: isServed(addMappedModels(values.models, values.model_mapping), values.test_model)
    ? values.test_model
    : '',
  prices: pricesInUse(values),
  key: values.key.trim(),
  base_url: values.base_url.trim().replace(/\/+$/, ''),
  models: addMappedModels(values.models, values.model_mapping),
  group: splitNames(values.group).join(','),
  disabled_stream: [...new Set(values.disabled_stream.map(name => name.trim()).filter(Boolean))],
  plugin: withoutEmptyOptions(values.plugin),
})

const pricesInUse = ({ prices, ...lists }: ChannelValues): ChannelValues['prices'] => {
  const billed = new Set(billedModels(lists).map(each => each.billedAs))
  return prices.filter(each => billed.has(each.model))
}

const withoutEmptyOptions = (plugin: ChannelValues['plugin']): ChannelValues['plugin'] =>
  Object.fromEntries(
    Object.entries(plugin).flatMap(([id, params]) => {
      const given = Object.entries(params).filter(([, value]) => value !== '' && value !== false)
      return given.length ? [[id, Object.fromEntries(given)]] : []
    }),
  )

/** Only the changed fields, so that two administrators do not overwrite each other's changes. */
export const changesOf = (before: ChannelValues, after: ChannelValues): Partial<ChannelValues> =>
  Object.fromEntries(
    Object.entries(normalizeValues(after)).filter(([key, value]) => {
      if (key === 'key') return value !== ''
      // It only says how a new channel uses its keys.
      if (key === 'key_mode') return false
      return JSON.stringify(value) !== JSON.stringify(before[key as keyof ChannelValues])
    }),
  )

/** The fields whose values differ from a new channel of this type; `isSet` names the stored secrets. */
export const nonDefaultFields = (
  values: ChannelValues,
  provider: Provider | undefined,
  keys: (keyof ChannelValues)[],
  isSet?: Channel['is_set'],
): (keyof ChannelValues)[] => {
  const blank = defaultValuesFor(provider)
  return keys.filter(key =>
    isSecret(key) && !values[key]
      ? isSet?.[key] && values[key] !== null
      : JSON.stringify(values[key]) !== JSON.stringify(blank[key]),
  )
}

/** The account whose models are fetched. */
export const fetchInput = (values: ChannelValues, channelId: number | undefined) => ({
  ...(channelId === undefined ? {} : { id: channelId }),
  type: values.type,
  key: values.key ?? '',
  base_url: values.base_url,
  // An empty field of a stored channel stands for its stored proxy.
  ...((channelId === undefined || values.proxy !== '') && { proxy: values.proxy ?? '' }),
  other: values.other,
})
