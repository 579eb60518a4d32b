import type { Provider } from '@hub/contract'
import Box from '@mui/material/Box'
import Link from '@mui/material/Link'
import MenuItem from '@mui/material/MenuItem'
import Select from '@mui/material/Select'
import Stack from '@mui/material/Stack'
import { useT } from '../../../ui/index.ts'
import { TypeName } from '../type-name.tsx'

export type TypeControlProps = {
  id: string
  label: string
  value: number
  providers: readonly Provider[]
  onSelect: (provider: Provider) => void
}

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

export const usableFirst = (providers: readonly Provider[]) =>
  providers.toSorted((a, b) => Number(isUnusable(a)) - Number(isUnusable(b)))

export const isUnusable = (provider: Provider) => provider.operations.length === 0

export const ProviderLinks = ({ provider }: { provider: Provider }) => {
  const t = useT()
  const links = (['site', 'keys', 'docs'] as const).flatMap(kind => {
    const href = provider.links[kind]
    return href ? [{ kind, href }] : []
  })
  if (links.length === 0) return null
  return (
    <Stack direction="row" spacing={1.5} sx={{ mt: 0.75, fontSize: 12 }}>
      {links.map(({ kind, href }) => (
        <Link key={kind} href={href} target="_blank" rel="noreferrer noopener">
          {t(`channels.links.${kind}`)}
        </Link>
      ))}
    </Stack>
  )
}
