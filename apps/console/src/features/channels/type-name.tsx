import type { Provider } from '@hub/contract'
import Box from '@mui/material/Box'
import Link from '@mui/material/Link'
import Stack from '@mui/material/Stack'
import { ProviderMark } from '../../domain/index.ts'
import { useT } from '../../ui/index.ts'
import { typeName } from './queries.ts'

type Props = { type: number; providers: readonly Provider[] }

/** A channel type with the mark of its provider. */
export const TypeName = ({ type, providers }: Props) => {
  const name = typeName(providers, type)
  return (
    <Box component="span" sx={frame}>
      <ProviderMark type={type} name={name} size={18} />
      {name}
    </Box>
  )
}

const frame = {
  display: 'inline-flex',
  alignItems: 'center',
  gap: 0.75,
  minWidth: 0,
  verticalAlign: 'top',
  // A name in two scripts breaks between them, at most once.
  wordBreak: 'keep-all',
}

/** Every control that selects a type takes these. */
export type TypeControlProps = {
  id: string
  label: string
  value: number
  providers: readonly Provider[]
  onSelect: (provider: Provider) => void
}

/** Types that can be called stand before the others. */
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
