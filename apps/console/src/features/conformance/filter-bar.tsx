import SearchIcon from 'virtual:icons/search'
import Box from '@mui/material/Box'
import InputAdornment from '@mui/material/InputAdornment'
import MenuItem from '@mui/material/MenuItem'
import OutlinedInput from '@mui/material/OutlinedInput'
import Select from '@mui/material/Select'
import ToggleButton from '@mui/material/ToggleButton'
import ToggleButtonGroup from '@mui/material/ToggleButtonGroup'
import { useRef, useState } from 'react'
import { Field, useT } from '../../ui/index.ts'
import { callerName, nameOf } from './grid.ts'
import type { GridView, useGridView } from './use-grid-view.ts'

type Props = {
  view: GridView
  set: ReturnType<typeof useGridView>[1]
  isWide: boolean
  /** The run includes clients other than the vendors' own. */
  hasSecondClients: boolean
}

/** Filters by keyword and client; a narrow screen also selects one caller and one upstream. */
export const FilterBar = ({ view, set, isWide, hasSecondClients }: Props) => {
  const t = useT()
  return (
    <Box
      sx={{
        display: 'grid',
        gap: 1.5,
        alignItems: 'end',
        gridTemplateColumns: { xs: 'minmax(0, 1fr) minmax(0, 1fr)', lg: '320px auto 1fr' },
      }}
    >
      {!isWide && (
        <>
          <SelectField
            label={t('conformance.caller')}
            value={view.caller?.id ?? ''}
            options={view.callers.map(each => [each.id, callerName(each)])}
            set={caller => set({ caller })}
          />
          <SelectField
            label={t('conformance.upstream')}
            value={view.upstream}
            options={view.upstreams.map(each => [each, nameOf(each)])}
            set={upstream => set({ upstream })}
          />
        </>
      )}
      <Search keyword={view.keyword} search={keyword => set({ keyword })} />
      {hasSecondClients && (
        <ToggleButtonGroup
          exclusive
          size="small"
          value={view.clients}
          aria-label={t('conformance.clients.label')}
          onChange={(_, clients: string | null) =>
            clients && set({ clients: clients === 'first' ? '' : clients, caller: '' })
          }
          sx={{
            gridColumn: { xs: '1 / -1', sm: 'auto' },
            '& button': { px: 1.5, height: 38, flex: { xs: 1, lg: 'none' } },
          }}
        >
          <ToggleButton value="first">{t('conformance.clients.first')}</ToggleButton>
          <ToggleButton value="second">{t('conformance.clients.second')}</ToggleButton>
        </ToggleButtonGroup>
      )}
    </Box>
  )
}

/** Debounces the search, because each change of the address renders the whole table. */
const Search = ({ keyword, search }: { keyword: string; search: (keyword: string) => void }) => {
  const t = useT()
  const [draft, setDraft] = useState<string | null>(null)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const commit = (text: string) => {
    clearTimeout(timer.current)
    if (text !== keyword) search(text)
  }
  return (
    <OutlinedInput
      type="search"
      value={draft ?? keyword}
      placeholder={t('conformance.search')}
      startAdornment={
        <InputAdornment position="start">
          <SearchIcon fontSize="small" />
        </InputAdornment>
      }
      inputProps={{ 'aria-label': t('conformance.search'), 'data-filter': '' }}
      onChange={event => {
        const text = event.target.value
        setDraft(text)
        clearTimeout(timer.current)
        timer.current = setTimeout(() => commit(text), 250)
      }}
      onKeyDown={event => event.key === 'Enter' && commit(draft ?? keyword)}
      onBlur={() => {
        if (draft !== null) commit(draft)
        setDraft(null)
      }}
      sx={{ gridColumn: { xs: '1 / -1', sm: 'auto' } }}
    />
  )
}

type SelectFieldProps = {
  label: string
  value: string
  options: [value: string, label: string][]
  set: (value: string) => void
}

const SelectField = ({ label, value, options, set }: SelectFieldProps) => (
  <Field label={label}>
    {({ id }) => (
      <Select
        size="small"
        fullWidth
        value={value}
        sx={{ fontSize: { xs: 13, sm: 14 } }}
        inputProps={{ id, 'aria-label': label }}
        onChange={event => set(event.target.value)}
      >
        {options.map(([each, name]) => (
          <MenuItem key={each} value={each}>
            {name}
          </MenuItem>
        ))}
      </Select>
    )}
  </Field>
)
