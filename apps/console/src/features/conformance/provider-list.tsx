import UnprovenIcon from 'virtual:icons/help-outline'
import type { ProviderProof } from '@hub/contract'
import Box from '@mui/material/Box'
import Chip from '@mui/material/Chip'
import { ProviderMark } from '../../domain/index.ts'
import { Card, useT } from '../../ui/index.ts'
import { linkOf } from './grid.ts'
import { StateIcon } from './state.tsx'

type Operation = ProviderProof['operations'][number]

/** The operations of each provider. A proven one links the vendor's document by which it was tested. */
export const ProviderList = ({ providers }: { providers: readonly ProviderProof[] }) => {
  const t = useT()
  const served = providers.filter(({ operations }) => operations.length > 0)
  return (
    <Card title={t('conformance.tabs.providers')} intro={t('conformance.providersIntro')} flush>
      <Box component="ul" sx={{ m: 0, mt: 1.5, p: 0, listStyle: 'none' }}>
        {served.map(({ type, name, operations }) => (
          <Box key={type} component="li" sx={row}>
            <Box component="span" sx={providerName}>
              <ProviderMark type={type} name={name} />
              {name}
            </Box>
            <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 0.75 }}>
              {operations.map(each => (
                <OperationChip key={each.operation} operation={each} />
              ))}
            </Box>
          </Box>
        ))}
      </Box>
    </Card>
  )
}

const OperationChip = ({ operation: { operation, sources } }: { operation: Operation }) => {
  const t = useT()
  const url = sources.map(linkOf).find(each => each !== undefined)
  const name = t(`conformance.operations.${operation}`, { defaultValue: operation })
  const state = t(sources.length > 0 ? 'conformance.proven' : 'conformance.unproven')
  const shared = {
    size: 'small',
    variant: 'outlined',
    label: name,
    title: url ? `${state}: ${url.host}` : state,
    'aria-label': `${name}: ${state}`,
  } as const
  if (!url)
    return <Chip {...shared} icon={<UnprovenIcon aria-hidden />} sx={{ borderStyle: 'dashed' }} />
  return (
    <Chip
      {...shared}
      clickable
      component="a"
      href={url.href}
      target="_blank"
      rel="noopener noreferrer"
      icon={
        <Box component="span" sx={{ display: 'flex' }}>
          <StateIcon state="ok" size={16} />
        </Box>
      }
    />
  )
}

const providerName = {
  display: 'flex',
  alignItems: 'center',
  gap: 1,
  fontWeight: 500,
  overflowWrap: 'anywhere',
}

const row = {
  display: 'grid',
  gridTemplateColumns: { xs: '1fr', md: '240px 1fr' },
  gap: { xs: 1, md: 2 },
  alignItems: 'center',
  px: 2.5,
  py: 1.5,
  borderTop: '1px solid',
  borderColor: 'divider',
}
