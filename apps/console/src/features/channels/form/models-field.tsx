import Button from '@mui/material/Button'
import Stack from '@mui/material/Stack'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api, query } from '../../../api/index.ts'
import { ModelMark } from '../../../domain/index.ts'
import { splitNames } from '../../../ui/form/names.ts'
import { NamesField } from '../../../ui/form/names-field.tsx'
import { notify, useAction, useCopy, useT } from '../../../ui/index.ts'
import { useProvider } from '../queries.ts'
import type { ChannelValues } from './channel-values.ts'
import { ModelPicker } from './model-picker.tsx'
import { joinNames } from './stored-text.ts'

type Props = {
  id: string
  describedBy: string | undefined
  invalid: boolean
  label: string
  value: string
  set: (text: string) => void
  values: ChannelValues
  /** Id of a stored channel; its stored key is used while the key field is empty. */
  channelId: number | undefined
}

/** The model list: typed, pasted, filled with the type's defaults, or fetched with the form's current values. */
export const ModelsField = (props: Props) => {
  const { value, set, values, channelId } = props
  const t = useT()
  const copy = useCopy()
  const provider = useProvider(values.type)
  const { data: priced } = useQuery(query(api.channels.models))
  const [offered, setOffered] = useState<string[]>()
  const fetchModels = useAction([], api.channels.fetchModels)
  const names = splitNames(value)

  const fetchOffered = async () => {
    const models = await fetchModels({
      ...(channelId === undefined ? {} : { id: channelId }),
      type: values.type,
      key: values.key ?? '',
      base_url: values.base_url,
      // An empty field of a stored channel stands for its stored proxy.
      ...((channelId === undefined || values.proxy !== '') && { proxy: values.proxy ?? '' }),
      other: values.other,
    })
    if (models?.length === 0) notify.info(t('channels.models.none'))
    else if (models) setOffered(models)
  }

  return (
    <Stack spacing={1}>
      <NamesField
        {...props}
        value={names}
        set={next => set(joinNames(next))}
        options={priced?.data.map(each => each.id) ?? []}
        placeholder={t('channels.models.placeholder')}
        Mark={ModelMark}
      />
      <Stack direction="row" sx={{ flexWrap: 'wrap', gap: 0.5 }}>
        <Button
          size="small"
          color="inherit"
          disabled={!provider?.models.length}
          onClick={() => set(joinNames([...names, ...(provider?.models ?? [])]))}
        >
          {t('channels.models.fill')}
        </Button>
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
      {offered && (
        <ModelPicker
          offered={offered}
          current={names}
          onClose={() => setOffered(undefined)}
          onSelect={selected => set(joinNames(selected))}
        />
      )}
    </Stack>
  )
}
