import type { Period, SeriesAttribute, SeriesFigure } from '@hub/contract'
import Box from '@mui/material/Box'
import ToggleButton from '@mui/material/ToggleButton'
import ToggleButtonGroup from '@mui/material/ToggleButtonGroup'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useDeferredValue } from 'react'
import { api, query, useSite } from '../../api'
import { formatCharge, formatQuota, ModelMark } from '../../domain'
import {
  Chart,
  EmptyState,
  ErrorState,
  formatCount,
  formatDuration,
  useChoice,
  useT,
} from '../../ui'
import { abbreviate } from '../../ui/values/format.ts'
import { bucketLabels } from './figures.ts'
import { valueLink } from './links.ts'
import { explorerHeight } from './skeleton.tsx'

const figures = ['charged', 'requests', 'tokens', 'latency', 'errors'] as const
const attributes = ['model', 'channel', 'user', 'group'] as const

/** One figure by time and by one attribute of the calls, both chosen in the address. A value leads to its rows. */
export const Explorer = ({ period }: { period: Period }) => {
  const t = useT()
  const [figure, setFigure] = useChoice<SeriesFigure>('figure', figures)
  const [by, setBy] = useChoice<SeriesAttribute>('by', attributes)
  const {
    data: newest,
    error,
    refetch,
  } = useQuery({
    ...query(api.operations.series, { period, figure, by }),
    refetchInterval: 60_000,
    placeholderData: keepPreviousData,
  })
  const data = useDeferredValue(newest)
  const { format, formatTotal } = useFormats(figure)
  if (error && !newest) return <ErrorState error={error} retry={() => void refetch()} />
  const series = data?.series ?? []
  return (
    <Box sx={boxStyles}>
      <Chart
        kind={figure === 'latency' ? 'lines' : 'bars'}
        question={t(`operations.explorer.questions.${figure}`)}
        answer={
          // The space keeps the line of the answer until it is known.
          data === undefined
            ? '\u00a0'
            : data.total !== null &&
              t(`operations.explorer.answers.${figure === 'latency' ? 'average' : 'total'}`, {
                total: formatTotal(data.total),
              })
        }
        controls={
          <Box sx={controlStyles}>
            <Choices
              label={t('operations.explorer.figure')}
              options={figures}
              nameOf={each => t(`operations.explorer.figures.${each}`)}
              value={figure}
              choose={setFigure}
            />
            <Choices
              label={t('operations.explorer.by')}
              options={attributes}
              nameOf={each => t(`operations.explorer.attributes.${each}`)}
              value={by}
              choose={setBy}
            />
          </Box>
        }
        labels={bucketLabels(data?.buckets ?? [])}
        series={series.map(({ name, data: values }) => ({
          label: name || t('operations.explorer.others'),
          mark: by === 'model' && name ? <ModelMark name={name} size={14} /> : undefined,
          data: values,
        }))}
        linkOf={(at, index) => {
          const [row, bucket] = [series[at], data?.buckets[index]]
          return row && bucket && valueLink({ figure, by }, row, bucket)
        }}
        format={format}
        isLoading={!data}
        height={300}
        empty={
          <EmptyState
            title={t(
              figure === 'errors' ? 'operations.explorer.noErrors' : 'operations.charts.empty',
            )}
            text={t('operations.charts.emptyText')}
          />
        }
      />
    </Box>
  )
}

/** The card fills the reserved height, so that a longer legend does not move the page. */
const boxStyles = {
  ...{ display: 'grid', gridTemplateColumns: 'minmax(0, 1fr)', minWidth: 0 },
  minHeight: explorerHeight,
} as const

const useFormats = (figure: SeriesFigure) => {
  const site = useSite()
  switch (figure) {
    case 'charged':
      return {
        format: (value: number) => formatCharge(value, site),
        formatTotal: (value: number) => formatQuota(value, site),
      }
    case 'tokens':
      return { format: abbreviate, formatTotal: formatCount }
    case 'latency':
      return { format: formatDuration, formatTotal: formatDuration }
    case 'requests':
    case 'errors':
      // The axis would show halves of calls.
      return {
        format: (value: number) => (Number.isInteger(value) ? formatCount(value) : ''),
        formatTotal: formatCount,
      }
  }
}

const controlStyles = {
  ...{ display: 'flex', flexWrap: 'wrap', justifyContent: 'space-between', gap: 1, mb: 1.5 },
  '& .MuiToggleButtonGroup-root': { width: { xs: '100%', sm: 'auto' } },
  '& .MuiToggleButton-root': {
    ...{ flex: { xs: '1 1 auto', sm: 'none' }, px: { xs: 0.5, sm: 1.5 }, py: 0.5 },
    ...{ fontSize: { xs: 12, sm: 13 }, whiteSpace: 'nowrap' },
  },
} as const

type ChoicesProps<C extends string> = {
  label: string
  options: readonly C[]
  nameOf: (option: C) => string
  value: C
  choose: (option: C) => void
}

const Choices = <C extends string>({ label, options, nameOf, value, choose }: ChoicesProps<C>) => (
  <ToggleButtonGroup
    exclusive
    size="small"
    value={value}
    onChange={(_, next: C | null) => next && choose(next)}
    aria-label={label}
  >
    {options.map(each => (
      <ToggleButton key={each} value={each}>
        {nameOf(each)}
      </ToggleButton>
    ))}
  </ToggleButtonGroup>
)
