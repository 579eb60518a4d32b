import type { Provider } from '@hub/contract'
import Box from '@mui/material/Box'
import Link from '@mui/material/Link'
import MenuItem from '@mui/material/MenuItem'
import Select from '@mui/material/Select'
import Stack from '@mui/material/Stack'
import { useT } from '../../../ui/index.ts'

type Props = {
  id: string
  value: number
  providers: readonly Provider[]
  choose: (provider: Provider) => void
}

/** Channel types; those that cannot be used yet are named, and say so. */
export const TypeField = ({ id, value, providers, choose }: Props) => {
  const t = useT()
  const chosen = providers.find(each => each.type === value)
  return (
    <>
      <Select
        id={id}
        labelId={`${id}-label`}
        fullWidth
        value={chosen ? value : ''}
        MenuProps={{ slotProps: { paper: { sx: { maxHeight: 400 } } } }}
        onChange={event => {
          const next = providers.find(each => each.type === Number(event.target.value))
          if (next) choose(next)
        }}
      >
        {usableFirst(providers).map(each => (
          <MenuItem key={each.type} value={each.type} disabled={isUnusable(each)}>
            {each.name}
            <Box component="span" sx={{ color: 'text.secondary', ml: 1, fontSize: 12 }}>
              {isUnusable(each) ? t('channels.type.notYet') : `#${each.type}`}
            </Box>
          </MenuItem>
        ))}
      </Select>
      {chosen && <Links provider={chosen} />}
    </>
  )
}

const usableFirst = (providers: readonly Provider[]) =>
  providers.toSorted((a, b) => Number(isUnusable(a)) - Number(isUnusable(b)))

const isUnusable = (provider: Provider) => provider.operations.length === 0

const Links = ({ provider }: { provider: Provider }) => {
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
