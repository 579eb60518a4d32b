import Button from '@mui/material/Button'
import Stack from '@mui/material/Stack'
import { useQuery } from '@tanstack/react-query'
import { type ComponentType, lazy, type ReactNode, Suspense, useState } from 'react'
import { api, query } from '../../../api/index.ts'
import { ModelMark } from '../../../domain/index.ts'
import { splitNames } from '../../../ui/form/names.ts'
import { NamesField } from '../../../ui/form/names-field.tsx'
import { notify, useAction, useCopy, useT } from '../../../ui/index.ts'
import type { UnpricedModelsProps } from '../pricing/unpriced-models.tsx'
import { useUnpriced } from '../pricing/use-unpriced.ts'
import { useProvider } from '../queries.ts'
import { type ChannelValues, fetchInput } from './channel-values.ts'
import { billedModels, joinNames, withoutModels } from './stored-text.ts'

const ModelPicker = lazy(async () => ({
  default: (await import('./model-picker.tsx')).ModelPicker,
}))

type Props = {
  id: string
  describedBy: string | undefined
  invalid: boolean
  label: string
  value: string
  set: (text: string) => void
  setField: (key: string, value: unknown) => void
  values: ChannelValues
  /** Id of a stored channel; its stored key is used while the key field is empty. */
  channelId: number | undefined
  UnpricedModels: ComponentType<UnpricedModelsProps>
}

/** The model list: typed, pasted, filled with the type's defaults, or fetched with the form's current values. */
export const ModelsField = (props: Props) => {
  const { value, set, setField, values, channelId, UnpricedModels } = props
  const t = useT()
  const provider = useProvider(values.type)
  // Hundreds of names are loaded once somebody may type one.
  const [isUsed, setUsed] = useState(false)
  const { data: priced } = useQuery({ ...query(api.channels.models), enabled: isUsed })
  const [offered, setOffered] = useState<string[]>()
  const fetchModels = useAction([], api.channels.fetchModels)
  const names = splitNames(value)

  const fetchOffered = async () => {
    const models = await fetchModels(fetchInput(values, channelId))
    if (models?.length === 0) notify.info(t('channels.models.none'))
    else if (models) setOffered(models)
  }

  const billed = billedModels(values)
  const unpriced = useUnpriced(billed)
  const leaveOut = (names: string[]) => {
    const left = billed.filter(each => names.includes(each.billedAs)).map(each => each.model)
    const { models, model_mapping } = withoutModels(values, left)
    set(models)
    setField('model_mapping', model_mapping)
  }

  return (
    <Stack spacing={1} onFocusCapture={() => setUsed(true)} onPointerEnter={() => setUsed(true)}>
      <NamesField
        {...props}
        value={names}
        set={next => set(joinNames(next))}
        options={priced?.data.map(each => each.id) ?? []}
        placeholder={t('channels.models.placeholder')}
        Mark={ModelMark}
      />
      <ListButtons {...{ value, set }} offered={provider?.models ?? []}>
        {provider?.can_list_models && (
          <Button
            size="small"
            color="inherit"
            loading={fetchModels.isPending}
            onClick={() => void fetchOffered()}
          >
            {t('channels.models.fetch')}
          </Button>
        )}
      </ListButtons>
      {offered && (
        <Suspense fallback={null}>
          <ModelPicker
            offered={offered}
            current={names}
            onClose={() => setOffered(undefined)}
            onSelect={selected => set(joinNames(selected))}
          />
        </Suspense>
      )}
      {unpriced.length > 0 && (
        <Suspense fallback={null}>
          <UnpricedModels
            unpriced={unpriced}
            prices={values.prices}
            setPrices={prices => setField('prices', prices)}
            leaveOut={leaveOut}
          />
        </Suspense>
      )}
    </Stack>
  )
}

type ButtonsProps = Pick<Props, 'value' | 'set'> & {
  /** The type's own models. */
  offered: readonly string[]
  children: ReactNode
}

/** Buttons that fill, copy and clear the list. */
const ListButtons = ({ value, set, offered, children }: ButtonsProps) => {
  const t = useT()
  const copy = useCopy()
  const names = splitNames(value)
  return (
    <Stack direction="row" sx={{ flexWrap: 'wrap', gap: 0.5 }}>
      <Button
        size="small"
        color="inherit"
        disabled={offered.length === 0}
        onClick={() => set(joinNames([...names, ...offered]))}
      >
        {t('channels.models.fill')}
      </Button>
      {children}
      <Button
        size="small"
        color="inherit"
        disabled={names.length === 0}
        onClick={() => void copy(value, t('channels.fields.models'))}
      >
        {t('channels.models.copy')}
      </Button>
      <Button size="small" color="inherit" disabled={names.length === 0} onClick={() => set('')}>
        {t('common.clear')}
      </Button>
    </Stack>
  )
}
