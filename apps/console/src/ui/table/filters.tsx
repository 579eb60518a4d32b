import FilterIcon from '@mui/icons-material/FilterListOutlined'
import SearchIcon from '@mui/icons-material/SearchOutlined'
import Badge from '@mui/material/Badge'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Chip from '@mui/material/Chip'
import Drawer from '@mui/material/Drawer'
import InputAdornment from '@mui/material/InputAdornment'
import MenuItem from '@mui/material/MenuItem'
import OutlinedInput from '@mui/material/OutlinedInput'
import Popover from '@mui/material/Popover'
import Select from '@mui/material/Select'
import Stack from '@mui/material/Stack'
import Typography from '@mui/material/Typography'
import dayjs from 'dayjs'
import { useId, useRef, useState } from 'react'
import { Field } from '../form/field.tsx'
import { useT } from '../use-t.ts'
import { formatTime } from '../values/values.tsx'
import type { ListControl } from './list-state.ts'
import type { Filter } from './types.ts'

type Props = { of: string; filters: readonly Filter[]; control: ListControl; isPhone: boolean }

const useLabel = (of: string) => {
  const t = useT()
  return ({ key, label }: Filter) =>
    t(label ?? (key === 'keyword' ? 'common.search' : `${of}.fields.${key}`))
}

/** The first filter is always in sight; the others wait behind one button (a sheet on phones). */
export const FilterBar = ({ of, filters, control, isPhone }: Props) => {
  const t = useT()
  const titleId = useId()
  const [anchor, setAnchor] = useState<HTMLElement | null>(null)
  const [first, ...rest] = filters
  if (!first) return null
  const set = rest.filter(each => control.state.filters[each.key]).length
  const form = (
    <Stack spacing={2} sx={{ p: 2.5, width: { xs: 'auto', sm: 320 } }}>
      <Typography id={titleId} variant="h3" component="h2">
        {t('common.filters')}
      </Typography>
      {rest.map(filter => (
        <FilterControl key={filter.key} {...{ of, filter, control }} labelled />
      ))}
      <Stack direction="row" spacing={1} sx={{ justifyContent: 'flex-end' }}>
        <Button color="inherit" onClick={control.clearFilters}>
          {t('common.clear')}
        </Button>
        <Button variant="contained" onClick={() => setAnchor(null)}>
          {t('common.show')}
        </Button>
      </Stack>
    </Stack>
  )
  const open = anchor !== null
  const paper = { role: 'dialog', 'aria-labelledby': titleId, 'aria-modal': true }
  return (
    <>
      <Box sx={{ flex: { xs: 1, sm: '0 1 280px' }, minWidth: 0 }}>
        <FilterControl {...{ of, filter: first, control }} isFirst />
      </Box>
      {rest.length > 0 && (
        <Badge badgeContent={set} color="primary">
          <Button
            variant="outlined"
            color="inherit"
            aria-expanded={open}
            aria-haspopup="dialog"
            startIcon={<FilterIcon />}
            onClick={event => setAnchor(event.currentTarget)}
          >
            {t('common.filters')}
          </Button>
        </Badge>
      )}
      {isPhone ? (
        <Drawer
          anchor="bottom"
          open={open}
          onClose={() => setAnchor(null)}
          slotProps={{
            paper: { ...paper, sx: { maxHeight: '85dvh', borderRadius: '12px 12px 0 0' } },
          }}
        >
          {form}
        </Drawer>
      ) : (
        <Popover
          open={open}
          anchorEl={anchor}
          onClose={() => setAnchor(null)}
          anchorOrigin={{ vertical: 'bottom', horizontal: 'left' }}
          slotProps={{ paper }}
          sx={{ mt: 1 }}
        >
          {form}
        </Popover>
      )}
    </>
  )
}

type ControlProps = {
  of: string
  filter: Filter
  control: ListControl
  labelled?: boolean
  isFirst?: boolean
}

const FilterControl = ({
  of,
  filter,
  control,
  labelled = false,
  isFirst = false,
}: ControlProps) => {
  const t = useT()
  const label = useLabel(of)(filter)
  const value = control.state.filters[filter.key] ?? ''
  const set = (next: string) => control.setFilter(filter.key, next)
  const input = (id?: string) => {
    if (filter.kind === 'select')
      return (
        <Select
          displayEmpty
          fullWidth
          size="small"
          value={value}
          onChange={event => set(String(event.target.value))}
          inputProps={{ id, 'aria-label': label }}
        >
          <MenuItem value="">{labelled ? t('common.any') : label}</MenuItem>
          {filter.options?.map(each => (
            <MenuItem key={each.value} value={String(each.value)}>
              {each.label}
            </MenuItem>
          ))}
        </Select>
      )
    if (filter.kind === 'time')
      return (
        <OutlinedInput
          fullWidth
          type="datetime-local"
          value={value ? dayjs.unix(Number(value)).format('YYYY-MM-DDTHH:mm') : ''}
          onChange={event =>
            set(event.target.value ? String(dayjs(event.target.value).unix()) : '')
          }
          inputProps={{ id, 'aria-label': label }}
        />
      )
    return <TextFilter {...{ id, value, set, label, isFirst }} numeric={filter.kind === 'number'} />
  }
  return labelled ? <Field label={label}>{({ id }) => input(id)}</Field> : input()
}

type TextProps = {
  id?: string | undefined
  value: string
  set: (value: string) => void
  label: string
  numeric: boolean
  isFirst: boolean
}

/** Searches when the typing pauses; Enter searches at once. */
const TextFilter = ({ id, value, set, label, numeric, isFirst }: TextProps) => {
  const [draft, setDraft] = useState<string | null>(null)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const commit = (text: string) => {
    clearTimeout(timer.current)
    if (text.trim() !== value) set(text.trim())
    setDraft(null)
  }
  return (
    <OutlinedInput
      fullWidth
      type={isFirst ? 'search' : 'text'}
      placeholder={isFirst ? label : ''}
      value={draft ?? value}
      startAdornment={
        isFirst && (
          <InputAdornment position="start">
            <SearchIcon fontSize="small" />
          </InputAdornment>
        )
      }
      inputProps={{
        id,
        'aria-label': label,
        'data-filter': isFirst ? '' : undefined,
        inputMode: numeric ? 'numeric' : undefined,
      }}
      onChange={event => {
        const text = event.target.value
        setDraft(text)
        clearTimeout(timer.current)
        timer.current = setTimeout(() => commit(text), 400)
      }}
      onKeyDown={event => event.key === 'Enter' && commit(draft ?? value)}
      onBlur={() => draft !== null && commit(draft)}
    />
  )
}

/** What is set, each with a way to take it off. */
export const FilterChips = ({ of, filters, control }: Omit<Props, 'isPhone'>) => {
  const t = useT()
  const label = useLabel(of)
  const set = filters.filter(each => control.state.filters[each.key])
  if (set.length === 0) return null
  const words = (filter: Filter) => {
    const value = control.state.filters[filter.key] ?? ''
    if (filter.kind === 'time') return formatTime(Number(value))
    return filter.options?.find(each => String(each.value) === value)?.label ?? value
  }
  return (
    <Stack direction="row" sx={{ flexWrap: 'wrap', gap: 1 }}>
      {set.map(filter => (
        <Chip
          key={filter.key}
          size="small"
          label={`${label(filter)}: ${words(filter)}`}
          onDelete={() => control.setFilter(filter.key, '')}
        />
      ))}
      <Button size="small" sx={{ minHeight: 24, py: 0 }} onClick={control.clearFilters}>
        {t('common.clear')}
      </Button>
    </Stack>
  )
}
