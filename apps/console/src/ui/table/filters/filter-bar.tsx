import FilterIcon from 'virtual:icons/filter-list'
import Badge from '@mui/material/Badge'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Chip from '@mui/material/Chip'
import Drawer from '@mui/material/Drawer'
import Popover from '@mui/material/Popover'
import Stack from '@mui/material/Stack'
import Typography from '@mui/material/Typography'
import { useId, useState } from 'react'
import { useT } from '../../../locales/use-t.ts'
import { formatTime } from '../../values/format.ts'
import type { ListControl } from '../state/list-state.ts'
import type { Filter } from '../types.ts'
import { FilterControl, useFilterLabel } from './filter-control.tsx'

type Props = {
  resource: string
  filters: readonly Filter[]
  control: ListControl
  isPhone: boolean
}

/** Shows the first filter inline. The others open in a popover, or in a bottom sheet on phones. */
export const FilterBar = ({ resource, filters, control, isPhone }: Props) => {
  const t = useT()
  const [anchor, setAnchor] = useState<HTMLElement | null>(null)
  const [first, ...others] = filters
  if (!first) return null
  const activeCount = others.filter(each => control.state.filters[each.key]).length
  const panel = { resource, control, isPhone, anchor, filters: others }
  return (
    <>
      <Box sx={{ flex: { xs: 1, sm: '0 1 280px' }, minWidth: 0 }}>
        <FilterControl {...{ resource, filter: first, control }} isFirst />
      </Box>
      {others.length > 0 && (
        <Badge badgeContent={activeCount} color="primary">
          <Button
            variant="outlined"
            color="inherit"
            aria-expanded={anchor !== null}
            aria-haspopup="dialog"
            startIcon={<FilterIcon />}
            onClick={event => setAnchor(event.currentTarget)}
          >
            {t('common.filters')}
          </Button>
        </Badge>
      )}
      <FilterPanel {...panel} close={() => setAnchor(null)} />
    </>
  )
}

const FilterPanel = ({
  anchor,
  close,
  isPhone,
  ...form
}: Props & { anchor: HTMLElement | null; close: () => void }) => {
  const titleId = useId()
  const open = anchor !== null
  const paper = { role: 'dialog', 'aria-labelledby': titleId, 'aria-modal': true }
  return isPhone ? (
    <Drawer
      anchor="bottom"
      open={open}
      onClose={close}
      slotProps={{
        paper: { ...paper, sx: { maxHeight: '85dvh', borderRadius: '12px 12px 0 0' } },
      }}
    >
      <FilterForm {...form} titleId={titleId} close={close} />
    </Drawer>
  ) : (
    <Popover
      open={open}
      anchorEl={anchor}
      onClose={close}
      anchorOrigin={{ vertical: 'bottom', horizontal: 'left' }}
      slotProps={{ paper }}
      sx={{ mt: 1 }}
    >
      <FilterForm {...form} titleId={titleId} close={close} />
    </Popover>
  )
}

type FormProps = Omit<Props, 'isPhone'> & { titleId: string; close: () => void }

const FilterForm = ({ resource, filters, control, titleId, close }: FormProps) => {
  const t = useT()
  return (
    <Stack spacing={2} sx={{ p: 2.5, width: { xs: 'auto', sm: 320 } }}>
      <Typography id={titleId} variant="h3" component="h2">
        {t('common.filters')}
      </Typography>
      {filters.map(filter => (
        <FilterControl key={filter.key} {...{ resource, filter, control }} labelled />
      ))}
      <Stack direction="row" spacing={1} sx={{ justifyContent: 'flex-end' }}>
        <Button color="inherit" onClick={control.clearFilters}>
          {t('common.clear')}
        </Button>
        <Button variant="contained" onClick={close}>
          {t('common.show')}
        </Button>
      </Stack>
    </Stack>
  )
}

/** The filters that are set, each removable. */
export const FilterChips = ({ resource, filters, control }: Omit<Props, 'isPhone'>) => {
  const t = useT()
  const label = useFilterLabel(resource)
  const active = filters.filter(each => control.state.filters[each.key])
  if (active.length === 0) return null
  const valueText = (filter: Filter) => {
    const value = control.state.filters[filter.key] ?? ''
    // A search from 1970 on has no beginning.
    if (value === '0' && filter.kind === 'time') return t('common.any')
    if (filter.kind === 'time') return formatTime(Number(value))
    return filter.options?.find(each => String(each.value) === value)?.label ?? value
  }
  return (
    <Stack direction="row" sx={{ flexWrap: 'wrap', gap: 1 }}>
      {active.map(filter => (
        <Chip
          key={filter.key}
          size="small"
          label={`${label(filter)}: ${valueText(filter)}`}
          onDelete={() => control.setFilter(filter.key, '')}
        />
      ))}
      <Button size="small" sx={{ minHeight: 24, py: 0 }} onClick={control.clearFilters}>
        {t('common.clear')}
      </Button>
    </Stack>
  )
}
