import ChartIcon from 'virtual:icons/bar-chart'
import TableIcon from 'virtual:icons/table-rows'
import Box from '@mui/material/Box'
import IconButton from '@mui/material/IconButton'
import Skeleton from '@mui/material/Skeleton'
import Tooltip from '@mui/material/Tooltip'
import { lazy, type ReactNode, Suspense, useState } from 'react'
import { useNavigate } from 'react-router'
import { useT } from '../../locales/use-t.ts'
import { Card } from '../card.tsx'
import { NearView } from './near-view.tsx'
import type { PlotProps } from './plot-frame.tsx'

const plots = {
  bars: lazy(() => import('./plot.tsx')),
  lines: lazy(() => import('./line-plot.tsx')),
}

const FigureTable = lazy(() => import('./figure-table.tsx'))

/** One line of the legend with its distance, which come with the plot. */
const legendHeight = 34

type ChartProps = PlotProps & {
  /** The question the chart answers. */
  question: string
  answer?: ReactNode
  /** Stacked bars by default. */
  kind?: keyof typeof plots
  isLoading?: boolean
  /** Replaces an empty plot. */
  empty?: ReactNode
  /** Replaces the plot of the chart library. */
  plot?: ReactNode
  /** Choices above the plot. */
  controls?: ReactNode
  /** The address of the rows behind a value, by the indexes of its series and its label. */
  linkOf?: (series: number, index: number) => string | undefined
}

/** A chart with the question it answers. A button shows the same figures as a table. */
export const Chart = (props: ChartProps) => {
  const {
    question,
    answer,
    series,
    labels,
    format = String,
    height = 280,
    isLoading,
    empty,
    kind = 'bars',
  } = props
  const Plot = plots[kind]
  const reserved = props.plot === undefined ? height + legendHeight : height
  const t = useT()
  const navigate = useNavigate()
  const [asTable, setAsTable] = useState(false)
  const { linkOf } = props
  const pick = (label: string, index: number) => {
    const link = linkOf?.(
      series.findIndex(each => each.label === label),
      index,
    )
    if (link) void navigate(link)
  }
  const switchLabel = t(asTable ? 'common.showChart' : 'common.showTable')
  const content = () => {
    if (isLoading) return <Skeleton variant="rounded" height={reserved} />
    if (series.length === 0) return <Box data-testid="empty-chart">{empty}</Box>
    if (asTable)
      return (
        <Suspense fallback={<Box sx={{ height: reserved }} />}>
          <FigureTable {...{ series, labels, format, question, linkOf }} />
        </Suspense>
      )
    if (props.plot) return props.plot
    return (
      <NearView height={reserved}>
        <Suspense fallback={<Skeleton variant="rounded" height={reserved} />}>
          <Plot {...props} format={format} height={height} onPick={linkOf && pick} />
        </Suspense>
      </NearView>
    )
  }
  return (
    <Card
      title={question}
      intro={answer}
      actions={
        series.length > 0 && (
          <Tooltip title={switchLabel}>
            <IconButton size="small" aria-label={switchLabel} onClick={() => setAsTable(!asTable)}>
              {asTable ? <ChartIcon fontSize="small" /> : <TableIcon fontSize="small" />}
            </IconButton>
          </Tooltip>
        )
      }
    >
      {props.controls}
      {content()}
    </Card>
  )
}
