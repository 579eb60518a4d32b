import type { Conformance, ConformanceFeature } from '@hub/contract'
import Box from '@mui/material/Box'
import Skeleton from '@mui/material/Skeleton'
import Stack from '@mui/material/Stack'
import Tab from '@mui/material/Tab'
import Tabs from '@mui/material/Tabs'
import Typography from '@mui/material/Typography'
import useMediaQuery from '@mui/material/useMediaQuery'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { api, query } from '../../api/index.ts'
import { EmptyState, ErrorState, formatCount, Page, useAddress, useT } from '../../ui/index.ts'
import { RowDrawer } from '../../ui/table/row-drawer.tsx'
import { ResultCounts } from './counts.tsx'
import { FeatureDetail } from './detail.tsx'
import { FilterBar } from './filter-bar.tsx'
import { callersOf, countOf, type FeatureRow, pairsOf, sectionsOf, slugOf } from './grid.ts'
import { GridTable } from './grid-table.tsx'
import { Matrix } from './matrix.tsx'
import { PairList } from './pair-list.tsx'
import { ProviderList } from './provider-list.tsx'
import { RunCard } from './run-card.tsx'
import { useGridView } from './use-grid-view.ts'

/** Shows which features work between any two API formats, as measured with the official clients. */
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
  if (data) return <Sections grid={data} />
  if (error) return <ErrorState error={error} retry={() => void refetch()} />
  return (
    <Box aria-busy role="status" aria-label={t('common.loading')}>
      <Skeleton variant="rounded" height={96} />
      <Skeleton variant="rounded" height={38} sx={{ my: 2 }} />
      <Skeleton variant="rounded" height="70dvh" />
    </Box>
  )
}

const tabs = ['features', 'providers'] as const

const Sections = ({ grid }: { grid: Conformance }) => {
  const t = useT()
  const [params, change] = useAddress()
  const tab = params.get('tab') === 'providers' ? 'providers' : 'features'
  return (
    <>
      <Tabs
        value={tab}
        aria-label={t('conformance.tabs.label')}
        onChange={(_, next: string) =>
          change({ tab: next === 'providers' ? next : '' }, { clear: true })
        }
        sx={{ mb: 2 }}
      >
        {tabs.map(each => (
          <Tab key={each} value={each} label={t(`conformance.tabs.${each}`)} />
        ))}
      </Tabs>
      {tab === 'features' && <ConformanceGrid grid={grid} />}
      {tab === 'providers' && <ProviderList providers={grid.providers} />}
    </>
  )
}

/** Translates the feature names of the run; untranslated features keep their English title. */
const useRows = (features: readonly ConformanceFeature[]): FeatureRow[] => {
  const { t, i18n } = useTranslation()
  return useMemo(() => {
    const translate = (key: string, text: string): string => (i18n.exists(key) ? t(key) : text)
    return features.map(each => ({
      ...each,
      label: translate(`conformance.features.${each.name}`, each.title),
      section: translate(`conformance.groups.${slugOf(each.group)}`, each.group),
    }))
  }, [features, t, i18n])
}

const ConformanceGrid = ({ grid }: { grid: Conformance }) => {
  const t = useT()
  const isWide = useMediaQuery('(min-width: 1200px)', { noSsr: true })
  const [view, set] = useGridView(grid, isWide)
  const rows = useRows(grid.features)
  if (rows.length === 0)
    return <EmptyState title={t('conformance.empty')} text={t('conformance.emptyText')} />
  const sections = sectionsOf(rows, view.pairs, view)
  const count = sections.reduce((sum, each) => sum + each.rows.length, 0)
  const opened = rows.find(({ name }) => name === view.open)
  const open = (feature: string, cell: string) => set({ open: feature, cell })
  const [pair] = view.pairs
  return (
    <Stack spacing={2}>
      <Matrix
        {...{ rows }}
        upstreams={view.upstreams}
        callers={view.callers}
        selected={view.chosen}
        select={pair => set({ caller: pair?.caller.id ?? '', upstream: pair?.upstream ?? '' })}
      />
      <FilterBar
        {...{ view, set, isWide }}
        hasSecondClients={callersOf(grid, 'second').length > 0}
      />
      <ResultCounts
        counts={countOf(rows, view.pairs)}
        selected={view.state}
        onSelect={state => set({ state })}
      />
      <Typography variant="body2" role="status" sx={{ color: 'text.secondary' }}>
        {t('conformance.count', { value: formatCount(count) })}
      </Typography>
      {count === 0 && <EmptyState title={t('common.noMatch')} text={t('common.noMatchText')} />}
      {count > 0 && isWide && (
        <Box sx={tableFrame}>
          <GridTable {...{ sections, view, open }} />
        </Box>
      )}
      {count > 0 && !isWide && pair && <PairList {...{ sections, pair, open }} />}
      <RunCard grid={grid} />
      <RowDrawer row={opened} title={opened?.label} close={() => set({ open: '', cell: '' })}>
        {row => (
          <FeatureDetail
            {...{ row }}
            pairs={pairsOf(view.callers, view.upstreams)}
            cell={view.cell}
          />
        )}
      </RowDrawer>
    </Stack>
  )
}

/** `overflow: clip` keeps the sticky table head working; `hidden` would not. */
const tableFrame = {
  bgcolor: 'background.paper',
  border: '1px solid',
  borderColor: 'divider',
  borderRadius: '12px',
  overflow: 'clip',
}
