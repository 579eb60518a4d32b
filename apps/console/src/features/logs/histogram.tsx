import type { LogHistogram } from '@hub/contract'
import Box from '@mui/material/Box'
import { useQuery } from '@tanstack/react-query'
import { api, type Call } from '../../api/index.ts'
import { BrushBars } from '../../ui/content/brush-bars.tsx'
import { Chart, formatCount, formatTime, useAddress, useT } from '../../ui/index.ts'
import type { ListState } from '../../ui/table/state/list-url.ts'
import { listInput } from '../../ui/table/state/rows.ts'

const height = 128

type Props = { isAdmin: boolean; state: ListState; fixed: object; isLive: boolean; type: string }

/** Reads the counts of the rows of a list by time, once for all that show them. */
export const useHistogram = ({ isAdmin, state, fixed, isLive }: Omit<Props, 'type'>) => {
  const call = (isAdmin ? api.logs.histogram : api.logs.selfHistogram) as Call
  const input = listInput(call, state, fixed)
  return useQuery({
    queryKey: ['logs', call.action, input],
    queryFn: ({ signal }) => call(input, signal) as Promise<LogHistogram>,
    placeholderData: before => before,
    refetchInterval: isLive ? 5000 : false,
  })
}

/** The rows of the list by time. Dragging over it selects a time range. */
export const Histogram = ({ isAdmin, state, fixed, isLive, type }: Props) => {
  const t = useT()
  const [, change] = useAddress()
  const { data } = useHistogram({ isAdmin, state, fixed, isLive })
  const select = (from: number, to: number) =>
    data &&
    change({
      start_timestamp: String(data.begin + from * data.step),
      end_timestamp: String(data.begin + (to + 1) * data.step - 1),
      ...{ page: '', after: '', open: '' },
    })
  const answered = t(type === '0' ? 'logs.histogram.entries' : `logs.types.${type}`)
  const plot = {
    labels: data ? labelsOf(data) : [],
    series: data ? seriesOf(data, type, { answered, errors: t('logs.types.5') }) : [],
    format: formatCount,
  }
  return (
    // The height of the whole card, so that the table below does not move.
    <Box sx={{ mb: 1.5, minHeight: height + 86 }}>
      <Chart
        question={t('logs.histogram.question')}
        answer={t(data?.complete === false ? 'logs.histogram.newest' : 'logs.histogram.hint', {
          count: formatCount(countedRowsMax),
        })}
        isLoading={data === undefined}
        height={height}
        {...plot}
        plot={<BrushBars {...plot} height={height} onBrush={select} />}
        empty={
          <Box sx={{ height, display: 'grid', placeItems: 'center', color: 'text.secondary' }}>
            {t('logs.histogram.empty')}
          </Box>
        }
      />
    </Box>
  )
}

/** The server counts at most this many. */
const countedRowsMax = 50_000

const bucketBegins = ({ begin, end, step }: LogHistogram): number[] =>
  Array.from({ length: Math.round((end - begin) / step) }, (_, index) => begin + index * step)

const day = 86_400

const labelsOf = (data: LogHistogram): string[] => {
  const { begin, end, step } = data
  const [from, to] =
    step < 60 ? [11, 19] : end - begin <= day ? [11, 16] : step < day ? [5, 16] : [0, 10]
  return bucketBegins(data).map(each => formatTime(each).slice(from, to))
}

const seriesOf = (
  data: LogHistogram,
  type: string,
  labels: { answered: string; errors: string },
) => {
  if (data.buckets.length === 0) return []
  const found = new Map(data.buckets.map(each => [each.begin, each]))
  const rows = bucketBegins(data).map(begin => found.get(begin) ?? { count: 0, errors: 0 })
  const errors = {
    label: labels.errors,
    data: rows.map(each => each.errors),
    tone: 'error' as const,
  }
  if (type === '5') return [errors]
  const answered = {
    label: labels.answered,
    data: rows.map(each => each.count - each.errors),
    tone: 'success' as const,
  }
  return type === '0' ? [answered, errors] : [answered]
}
