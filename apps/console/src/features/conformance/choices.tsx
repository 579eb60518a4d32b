import SearchIcon from '@mui/icons-material/SearchOutlined'
import Box from '@mui/material/Box'
import InputAdornment from '@mui/material/InputAdornment'
import MenuItem from '@mui/material/MenuItem'
import OutlinedInput from '@mui/material/OutlinedInput'
import Select from '@mui/material/Select'
import ToggleButton from '@mui/material/ToggleButton'
import ToggleButtonGroup from '@mui/material/ToggleButtonGroup'
import { useRef, useState } from 'react'
import { Field, useT } from '../../ui/index.ts'
import { nameOf } from './grid.ts'
import type { Look, useLook } from './use-look.ts'

type Props = {
  look: Look
  set: ReturnType<typeof useLook>[1]
  isWide: boolean
  /** More than one kind of clients has asked. */
  hasSecond: boolean
}

/** A word, whose clients; and on a narrow screen between whom. */
export const Choices = ({ look, set, isWide, hasSecond }: Props) => {
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
          <Choice
            label={t('conformance.caller')}
            value={look.caller?.id ?? ''}
            options={look.callers.map(({ id, dialect }) => [id, nameOf(dialect)])}
            set={caller => set({ caller })}
          />
          <Choice
            label={t('conformance.upstream')}
            value={look.upstream}
            options={look.upstreams.map(each => [each, nameOf(each)])}
            set={upstream => set({ upstream })}
          />
        </>
      )}
      <Search keyword={look.keyword} search={keyword => set({ keyword })} />
      {hasSecond && (
        <ToggleButtonGroup
          exclusive
          size="small"
          value={look.clients}
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

/** Searches when the typing pauses: the address is slower than fingers. */
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

type ChoiceProps = {
  label: string
  value: string
  options: [value: string, label: string][]
  set: (value: string) => void
}

const Choice = ({ label, value, options, set }: ChoiceProps) => (
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
