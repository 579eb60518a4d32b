import Box from '@mui/material/Box'
import Chip from '@mui/material/Chip'
import { type ReactElement, useId } from 'react'
import { ModalityIcon, modalityLabel, TagMark } from '../../domain/model-info/index.ts'
import { useT } from '../../ui/index.ts'
import type { ModelFilters } from './rows.ts'

type Props = {
  modalities: readonly string[]
  tags: readonly string[]
  filters: Pick<ModelFilters, 'modality' | 'tag'>
  set: (part: Partial<ModelFilters>) => void
}

/** Chips that narrow the list by what models read and write, and by their tags. Nothing without descriptions. */
export const DescriptionFilters = ({ modalities, tags, filters, set }: Props) => {
  const t = useT()
  if (modalities.length + tags.length === 0 && !filters.modality && !filters.tag) return null
  return (
    <Box sx={{ display: 'flex', flexWrap: 'wrap', columnGap: 3, rowGap: 1 }}>
      <ChipFilter
        label={t('model-details.modality')}
        value={filters.modality}
        names={modalities}
        labelOf={name => modalityLabel(t, name)}
        iconOf={name => <ModalityIcon name={name} />}
        set={modality => set({ modality })}
      />
      <ChipFilter
        label={t('model-details.tags')}
        value={filters.tag}
        names={tags}
        iconOf={tag => <TagMark tag={tag} />}
        set={tag => set({ tag })}
      />
    </Box>
  )
}

type ChipFilterProps = {
  label: string
  value: string
  names: readonly string[]
  labelOf?: (name: string) => string
  iconOf: (name: string) => ReactElement
  set: (name: string) => void
}

/** One of several chips can be chosen; a second click on it shows all models again. */
const ChipFilter = ({ label, value, names, labelOf, iconOf, set }: ChipFilterProps) => {
  const id = useId()
  // A shared link may name one that no model has any more.
  const choices = value === '' || names.includes(value) ? names : [...names, value]
  if (choices.length === 0) return null
  return (
    <Box
      role="group"
      aria-labelledby={id}
      sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: 0.75, minWidth: 0 }}
    >
      <Box component="span" id={id} sx={{ fontSize: 13, color: 'text.secondary', mr: 0.25 }}>
        {label}
      </Box>
      {choices.map(name => {
        const isChosen = name === value
        return (
          <Chip
            key={name}
            size="small"
            icon={iconOf(name)}
            label={labelOf?.(name) ?? name}
            variant="outlined"
            color={isChosen ? 'primary' : 'default'}
            sx={isChosen ? { bgcolor: 'action.selected' } : {}}
            aria-pressed={isChosen}
            onClick={() => set(isChosen ? '' : name)}
          />
        )
      })}
    </Box>
  )
}
