import Box from '@mui/material/Box'
import MenuItem from '@mui/material/MenuItem'
import Select from '@mui/material/Select'
import { useT } from '../../../ui/index.ts'
import {
  isUnusable,
  ProviderLinks,
  type TypeControlProps,
  TypeName,
  usableFirst,
} from '../type-name.tsx'

/** Selects the channel type; unavailable types are listed last and disabled. */
export const TypeField = ({ id, value, providers, onSelect }: TypeControlProps) => {
  const t = useT()
  const selected = providers.find(each => each.type === value)
  return (
    <>
      <Select
        id={id}
        labelId={`${id}-label`}
        fullWidth
        value={selected ? value : ''}
        MenuProps={{ slotProps: { paper: { sx: { maxHeight: 400 } } } }}
        onChange={event => {
          const next = providers.find(each => each.type === Number(event.target.value))
          if (next) onSelect(next)
        }}
      >
        {usableFirst(providers).map(each => (
          <MenuItem key={each.type} value={each.type} disabled={isUnusable(each)}>
            <TypeName type={each.type} providers={providers} />
            <Box component="span" sx={{ color: 'text.secondary', ml: 1, fontSize: 12 }}>
              {isUnusable(each) ? t('channels.type.unavailable') : `#${each.type}`}
            </Box>
          </MenuItem>
        ))}
      </Select>
      {selected && <ProviderLinks provider={selected} />}
    </>
  )
}
