import type { Channel } from '@hub/contract'
import OutlinedInput from '@mui/material/OutlinedInput'
import { type ComponentType, lazy, Suspense } from 'react'
import { loadTexts } from '../../../locales/language.ts'
import { splitNames } from '../../../ui/form/names.ts'
import { NamesField } from '../../../ui/form/names-field.tsx'
import { type FieldOverride, useT } from '../../../ui/index.ts'
import type { UnpricedModelsProps } from '../pricing/unpriced-models.tsx'
import { useGroupSymbols, useProviders } from '../queries.ts'
import type { TypeControlProps } from '../type-name.tsx'
import { type ChannelValues, defaultsForNewType, fetchInput } from './channel-values.ts'
import { JsonField } from './json-field.tsx'
import { MapField } from './map-field.tsx'
import { ModelsField } from './models-field.tsx'
import { KeyField, SecretField } from './secret-fields.tsx'
import { TypeField } from './type-field.tsx'

/** Few channels have plugins, and their texts are long. */
const PluginField = lazy(async () => {
  const [{ PluginField }] = await Promise.all([
    import('./plugin-field.tsx'),
    loadTexts('channel-plugins'),
  ])
  return { default: PluginField }
})

/** Most channels have a price for each model, so that its code comes on demand where the form is edited. */
const LazyUnpricedModels = lazy(async () => ({
  default: (await import('../pricing/unpriced-models.tsx')).UnpricedModels,
}))

type Controls = {
  TypeControl?: ComponentType<TypeControlProps>
  UnpricedModels?: ComponentType<UnpricedModelsProps>
}

type FieldOverrides = Record<string, FieldOverride>

/**
 * The controls of the channel form; labels and help texts are in the locale files. `isSet` names the stored secrets.
 * `TypeControl` selects the type, and `UnpricedModels` the prices of models that have none.
 */
export const useChannelFields = (
  stored: Channel | undefined,
  isSet = stored?.is_set,
  { TypeControl = TypeField, UnpricedModels = LazyUnpricedModels }: Controls = {},
): FieldOverrides => ({
  ...useIdentityFields(stored, TypeControl),
  ...useFreeField(),
  ...useListFields(stored, UnpricedModels),
  ...useMapFields(isSet),
  ...usePluginField(stored),
})

const useIdentityFields = (
  stored: Channel | undefined,
  TypeControl: ComponentType<TypeControlProps>,
): FieldOverrides => {
  const providers = useProviders()
  const providerOf = (type: unknown) => providers.find(each => each.type === type)
  return {
    type: {
      render: ({ id, label, value, values, setField }) => (
        <TypeControl
          {...{ id, label }}
          value={Number(value)}
          providers={providers}
          onSelect={next => {
            const filled = defaultsForNewType(values as ChannelValues, providerOf(value), next)
            for (const [key, each] of Object.entries(filled)) setField(key, each)
          }}
        />
      ),
    },
    base_url: {
      render: ({ id, describedBy, error, value, set, values }) => (
        <SuggestedField
          {...{ id, describedBy, set }}
          invalid={Boolean(error)}
          value={String(value ?? '')}
          placeholder="https://"
          options={
            providerOf(values.type)?.address_presets.map(({ name, base_url }) => ({
              value: base_url,
              label: name,
            })) ?? []
          }
        />
      ),
    },
    // They are drawn below the keys and the models.
    key_mode: { hidden: true },
    prices: { hidden: true },
    key: {
      render: ({ id, describedBy, error, value, set, values, setField }) => (
        <KeyField
          {...{ id, describedBy, set, stored }}
          mode={(values as ChannelValues).key_mode}
          setMode={mode => setField('key_mode', mode)}
          invalid={Boolean(error)}
          value={String(value ?? '')}
          provider={providerOf(values.type)}
        />
      ),
    },
  }
}

/** Shown where the type reads it, and where a stored value without effect can be removed. */
const useFreeField = (): FieldOverrides => {
  const t = useT()
  const providers = useProviders()
  const meaningFor = (type: unknown) => providers.find(each => each.type === type)?.free_field || ''
  return {
    other: {
      showWhen: ({ type, other }) => meaningFor(type) !== '' || other !== '',
      render: ({ id, describedBy, error, value, set, values: { type } }) => (
        <OutlinedInput
          id={id}
          fullWidth
          value={String(value ?? '')}
          error={Boolean(error)}
          autoComplete="off"
          placeholder={meaningFor(type) && t(`channels.freeField.${meaningFor(type)}`)}
          inputProps={{ 'aria-describedby': describedBy, spellCheck: false }}
          onChange={event => set(event.target.value)}
        />
      ),
    },
  }
}

type SuggestedProps = {
  id: string
  describedBy: string | undefined
  invalid: boolean
  value: string
  set: (value: string) => void
  placeholder?: string
  options: readonly { value: string; label?: string }[]
}

/** A text with suggestions, such as the known servers of a type, which takes others too. */
const SuggestedField = (props: SuggestedProps) => {
  const { id, describedBy, invalid, value, set, placeholder, options } = props
  return (
    <>
      <OutlinedInput
        id={id}
        fullWidth
        value={value}
        error={invalid}
        autoComplete="off"
        placeholder={placeholder}
        inputProps={{ list: `${id}-options`, 'aria-describedby': describedBy }}
        onChange={event => set(event.target.value)}
      />
      <datalist id={`${id}-options`}>
        {options.map(each => (
          <option key={each.value} value={each.value} label={each.label} />
        ))}
      </datalist>
    </>
  )
}

const useListFields = (
  stored: Channel | undefined,
  UnpricedModels: ComponentType<UnpricedModelsProps>,
): FieldOverrides => {
  const groups = useGroupSymbols()
  return {
    models: {
      render: ({ id, describedBy, error, label, value, set, values, setField }) => (
        <ModelsField
          {...{ id, describedBy, label, set, setField, UnpricedModels }}
          invalid={Boolean(error)}
          value={String(value ?? '')}
          values={values as ChannelValues}
          channelId={stored?.id}
        />
      ),
    },
    group: {
      render: ({ id, describedBy, error, label, value, set }) => (
        <NamesField
          {...{ id, describedBy, label }}
          closed
          invalid={Boolean(error)}
          options={groups}
          value={splitNames(String(value ?? ''))}
          set={names => set(names.join(','))}
        />
      ),
    },
    test_model: {
      render: ({ id, describedBy, error, value, set, values }) => (
        <SuggestedField
          {...{ id, describedBy, set }}
          invalid={Boolean(error)}
          value={String(value ?? '')}
          // A pattern of the model list covers names that no list has.
          options={splitNames(String(values.models ?? ''))
            .filter(each => !each.endsWith('*'))
            .map(each => ({ value: each }))}
        />
      ),
    },
    disabled_stream: {
      render: ({ id, describedBy, error, label, value, set, values }) => (
        <NamesField
          {...{ id, describedBy, label, set }}
          invalid={Boolean(error)}
          options={splitNames(String(values.models ?? ''))}
          value={(value as string[]) ?? []}
        />
      ),
    },
  }
}

const useMapFields = (isSet: Channel['is_set'] | undefined): FieldOverrides => {
  const t = useT()
  const map =
    (keyLabel: string, valueLabel: string): NonNullable<FieldOverride['render']> =>
    ({ id, describedBy, label, value, set }) => (
      <MapField
        {...{ id, describedBy, label, set, keyLabel, valueLabel }}
        value={String(value ?? '')}
      />
    )
  return {
    model_mapping: { render: map(t('channels.map.requested'), t('channels.map.forwarded')) },
    context_sizes: { render: map(t('channels.map.model'), t('channels.map.tokens')) },
    model_headers: secret(
      isSet?.model_headers,
      map(t('channels.map.header'), t('channels.map.value')),
    ),
    custom_parameter: secret(isSet?.custom_parameter, ({ id, describedBy, label, value, set }) => (
      <JsonField
        {...{ id, describedBy, label, set }}
        value={String(value ?? '')}
        placeholder={'{\n  "temperature": 0.7\n}'}
      />
    )),
    proxy: secret(isSet?.proxy, ({ id, describedBy, error, value, set }) => (
      <OutlinedInput
        id={id}
        fullWidth
        value={String(value ?? '')}
        error={Boolean(error)}
        autoComplete="off"
        inputProps={{ 'aria-describedby': describedBy, spellCheck: false }}
        onChange={event => set(event.target.value)}
      />
    )),
  }
}

/** Draws the control for a secret that is not stored yet or is replaced. */
const secret = (
  isSet: boolean | undefined,
  render: NonNullable<FieldOverride['render']>,
): FieldOverride => ({
  render: part => (
    <SecretField
      id={part.id}
      isSet={isSet ?? false}
      value={part.value as string | null}
      set={part.set}
    >
      {render(part)}
    </SecretField>
  ),
})

const usePluginField = (stored: Channel | undefined): FieldOverrides => {
  const providers = useProviders()
  return {
    plugin: {
      render: ({ value, set, values }) => (
        <Suspense>
          <PluginField
            schema={providers.find(each => each.type === values.type)?.options ?? {}}
            value={(value as ChannelValues['plugin']) ?? {}}
            set={set}
            account={fetchInput(values as ChannelValues, stored?.id)}
          />
        </Suspense>
      ),
    },
  }
}
