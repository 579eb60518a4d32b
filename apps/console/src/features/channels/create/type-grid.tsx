import type { Provider } from '@hub/contract'
import Box from '@mui/material/Box'
import Typography from '@mui/material/Typography'
import { visuallyHidden } from '@mui/utils'
import type { ChangeEvent, KeyboardEvent } from 'react'
import { ProviderMark } from '../../../domain/index.ts'
import { useAddressText, useT } from '../../../ui/index.ts'
import { isUnusable, ProviderLinks, type TypeControlProps, usableFirst } from '../type-name.tsx'

/** All channel types with their marks, and a search. */
export const TypeGrid = ({ id, label, value, providers, onSelect }: TypeControlProps) => {
  const t = useT()
  const [search, setSearch] = useAddressText('provider')
  const selected = providers.find(each => each.type === value)
  const shown = usableFirst(providers).filter(({ name, id: key, type }) =>
    `${name} ${key} #${type}`.toLowerCase().includes(search.trim().toLowerCase()),
  )
  return (
    <>
      {/* A plain input: those of the kit would load the code of forms before there is one. */}
      <Box
        component="input"
        id={id}
        type="search"
        autoComplete="off"
        value={search}
        placeholder={t('channel-create.searchTypes')}
        onChange={(event: ChangeEvent<HTMLInputElement>) => setSearch(event.target.value)}
        // The form must not be sent by a search.
        onKeyDown={(event: KeyboardEvent) => event.key === 'Enter' && event.preventDefault()}
        sx={searchField}
      />
      <Box role="radiogroup" aria-label={label} sx={grid}>
        {shown.map(each => (
          <TypeOption
            key={each.type}
            group={`${id}-type`}
            provider={each}
            isSelected={each.type === value}
            select={() => onSelect(each)}
          />
        ))}
        {shown.length === 0 && (
          <Typography variant="body2" sx={{ color: 'text.secondary', p: 1 }}>
            {t('common.noMatch')}
          </Typography>
        )}
      </Box>
      {selected && <ProviderLinks provider={selected} />}
    </>
  )
}

type OptionProps = {
  group: string
  provider: Provider
  isSelected: boolean
  select: () => void
}

const TypeOption = ({ group, provider, isSelected, select }: OptionProps) => {
  const t = useT()
  const { type, name } = provider
  const isDisabled = isUnusable(provider)
  return (
    <Box
      component="label"
      title={isDisabled ? t('channels.type.unavailable') : name}
      sx={{
        ...option,
        ...(isSelected && selectedOption),
        ...(isDisabled && { opacity: 0.5, cursor: 'not-allowed' }),
      }}
    >
      <input
        type="radio"
        name={group}
        value={type}
        checked={isSelected}
        disabled={isDisabled}
        onChange={select}
        style={visuallyHidden as object}
      />
      <ProviderMark type={type} name={name} size={20} />
      <Box component="span" sx={{ overflowWrap: 'anywhere' }}>
        {name}
      </Box>
    </Box>
  )
}

const searchField = {
  ...{ display: 'block', width: '100%', height: 36, px: 1.5, mb: 1, boxSizing: 'border-box' },
  ...{ font: 'inherit', fontSize: 14, color: 'text.primary', bgcolor: 'transparent' },
  ...{ border: '1px solid', borderColor: 'divider', borderRadius: '8px' },
  '&:hover': { borderColor: 'text.secondary' },
}
const grid = {
  position: 'relative',
  display: 'grid',
  gap: 1,
  gridTemplateColumns: 'repeat(auto-fill, minmax(148px, 1fr))',
  maxHeight: { xs: 260, sm: 304 },
  overflowY: 'auto',
  p: '3px',
  m: '-3px',
}
const option = {
  position: 'relative',
  display: 'flex',
  alignItems: 'center',
  gap: 1,
  px: 1.25,
  minHeight: 44,
  fontSize: 13,
  lineHeight: 1.25,
  minWidth: 0,
  cursor: 'pointer',
  border: '1px solid',
  borderColor: 'divider',
  borderRadius: '8px',
  '&:hover': { bgcolor: 'action.hover' },
}
const selectedOption = {
  borderColor: 'primary.main',
  boxShadow: 'inset 0 0 0 1px var(--mui-palette-primary-main)',
  fontWeight: 600,
}
