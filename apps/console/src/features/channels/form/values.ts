import type { Channel, NewChannel, Provider } from '@hub/contract'
import type { z } from 'zod'
import { namesOf } from '../../../ui/form/names.ts'
import { withMapped } from './texts.ts'

/** What the form edits: the fields of a channel, and the key as it is typed (it never comes back). */
export type ChannelValues = z.output<typeof NewChannel>

export const blankChannel = (provider: Provider | undefined): ChannelValues => ({
  type: provider?.type ?? 1,
  name: '',
  key: '',
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
  plugin: {},
})

/** A stored channel in the form: an empty address is shown as the provider's. */
export const valuesOf = (channel: Channel, provider: Provider | undefined): ChannelValues => {
  const blank = blankChannel(provider)
  const known = Object.keys(blank).map(key => [
    key,
    key === 'key' ? '' : channel[key as keyof Channel],
  ])
  const values = Object.fromEntries(known) as ChannelValues
  return { ...values, base_url: values.base_url || blank.base_url }
}

/** Another type: fields that are empty, or still as the last type filled them, take the new type's defaults. */
export const fillForType = (
  values: ChannelValues,
  from: Provider | undefined,
  to: Provider,
): Partial<ChannelValues> => {
  const untouched = (value: string, before: string | undefined) => value === '' || value === before
  return {
    type: to.type,
    plugin: {},
    ...(untouched(values.base_url, from?.base_url) && { base_url: to.base_url }),
    ...(untouched(values.models, from?.models.join(',')) && { models: to.models.join(',') }),
    ...(untouched(values.test_model, from?.test_model) && { test_model: to.test_model }),
  }
}

/** What is sent: tidy texts, mapped models offered, a final slash of the address cut. */
export const tidied = (values: ChannelValues): ChannelValues => ({
  ...values,
  key: values.key.trim(),
  base_url: values.base_url.trim().replace(/\/+$/, ''),
  models: withMapped(values.models, values.model_mapping),
  group: namesOf(values.group).join(','),
  disabled_stream: [...new Set(values.disabled_stream.map(name => name.trim()).filter(Boolean))],
  plugin: withoutEmpty(values.plugin),
})

const withoutEmpty = (plugin: ChannelValues['plugin']): ChannelValues['plugin'] =>
  Object.fromEntries(
    Object.entries(plugin).flatMap(([id, params]) => {
      const given = Object.entries(params).filter(([, value]) => value !== '' && value !== false)
      return given.length ? [[id, Object.fromEntries(given)]] : []
    }),
  )

/** Only what differs: an update changes what it names, so that two administrators do not undo each other. */
export const changesOf = (before: ChannelValues, after: ChannelValues): Partial<ChannelValues> =>
  Object.fromEntries(
    Object.entries(tidied(after)).filter(([key, value]) =>
      key === 'key'
        ? value !== ''
        : JSON.stringify(value) !== JSON.stringify(before[key as keyof ChannelValues]),
    ),
  )

/** Fields that are not as a new channel of this type has them: the summary of the folded sections. */
export const setFields = (
  values: ChannelValues,
  provider: Provider | undefined,
  among: (keyof ChannelValues)[],
): (keyof ChannelValues)[] => {
  const blank = blankChannel(provider)
  return among.filter(key => JSON.stringify(values[key]) !== JSON.stringify(blank[key]))
}
