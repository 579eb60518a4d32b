import type { Conformance, ConformanceFeature } from '@hub/contract'
import Box from '@mui/material/Box'
import Skeleton from '@mui/material/Skeleton'
import Stack from '@mui/material/Stack'
import Typography from '@mui/material/Typography'
import useMediaQuery from '@mui/material/useMediaQuery'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { api, query } from '../../api/index.ts'
import { EmptyState, ErrorState, formatCount, Page, useT } from '../../ui/index.ts'
import { RowDrawer } from '../../ui/table/row-drawer.tsx'
import { Choices } from './choices.tsx'
import { Counts } from './counts.tsx'
import { Detail } from './detail.tsx'
import { callersOf, countOf, pairsOf, type Row, sectionsOf, slugOf } from './grid.ts'
import { PairList } from './list.tsx'
import { RunCard } from './run-card.tsx'
import { GridTable } from './table.tsx'
import { useLook } from './use-look.ts'

/** What arrives between any two dialects, as the run of the official clients saw it. */
export const ConformancePage = () => {
  const t = useT()
  return (
    <Page title={t('conformance.title')} intro={t('conformance.intro')}>
      <Content />
    </Page>
  )
}

const Content = () => {
  const t = useT()
  const { data, error, refetch } = useQuery(query(api.conformance.get))
  if (data) return <Grid grid={data} />
  if (error) return <ErrorState error={error} retry={() => void refetch()} />
  return (
    <Box aria-busy role="status" aria-label={t('common.loading')}>
      <Skeleton variant="rounded" height={96} />
      <Skeleton variant="rounded" height={38} sx={{ my: 2 }} />
      <Skeleton variant="rounded" height="70dvh" />
    </Box>
  )
}

/** The run names its features in English; the locales have words for those that they know. */
const useRows = (features: readonly ConformanceFeature[]): Row[] => {
  const { t, i18n } = useTranslation()
  return useMemo(() => {
    const word = (key: string, text: string): string => (i18n.exists(key) ? t(key) : text)
    return features.map(each => ({
      ...each,
      label: word(`conformance.features.${each.name}`, each.title),
      section: word(`conformance.groups.${slugOf(each.group)}`, each.group),
    }))
  }, [features, t, i18n])
}

const Grid = ({ grid }: { grid: Conformance }) => {
  const t = useT()
  const isWide = useMediaQuery('(min-width: 1200px)', { noSsr: true })
  const [look, set] = useLook(grid, isWide)
  const rows = useRows(grid.features)
  if (rows.length === 0)
    return <EmptyState title={t('conformance.empty')} text={t('conformance.emptyText')} />
  const sections = sectionsOf(rows, look.pairs, look)
  const count = sections.reduce((sum, each) => sum + each.rows.length, 0)
  const opened = rows.find(({ name }) => name === look.open)
  const open = (feature: string, cell: string) => set({ open: feature, cell })
  const [pair] = look.pairs
  return (
    <Stack spacing={2}>
      <Choices {...{ look, set, isWide }} hasSecond={callersOf(grid, 'second').length > 0} />
      <Counts
        counts={countOf(rows, look.pairs)}
        chosen={look.state}
        choose={state => set({ state })}
      />
      <Typography variant="body2" role="status" sx={{ color: 'text.secondary' }}>
        {t('conformance.count', { value: formatCount(count) })}
      </Typography>
      {count === 0 && <EmptyState title={t('common.noMatch')} text={t('common.noMatchText')} />}
      {count > 0 && isWide && (
        <Box sx={surface}>
          <GridTable {...{ sections, look, open }} />
        </Box>
      )}
      {count > 0 && !isWide && pair && <PairList {...{ sections, pair, open }} />}
      <RunCard grid={grid} />
      <RowDrawer row={opened} title={opened?.label} close={() => set({ open: '', cell: '' })}>
        {row => (
          <Detail {...{ row }} pairs={pairsOf(look.callers, look.upstreams)} cell={look.cell} />
        )}
      </RowDrawer>
    </Stack>
  )
}

/** Clipped, not hidden: the head of the table sticks to the page. */
const surface = {
  bgcolor: 'background.paper',
  border: '1px solid',
  borderColor: 'divider',
  borderRadius: '12px',
  overflow: 'clip',
}
