import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import { useColorScheme } from '@mui/material/styles'
import { ChartsAxisHighlight } from '@mui/x-charts/ChartsAxisHighlight'
import { ChartsContainer } from '@mui/x-charts/ChartsContainer'
import { ChartsGrid } from '@mui/x-charts/ChartsGrid'
import { ChartsTooltip } from '@mui/x-charts/ChartsTooltip'
import { ChartsXAxis } from '@mui/x-charts/ChartsXAxis'
import { ChartsYAxis } from '@mui/x-charts/ChartsYAxis'
import type { AllSeriesType } from '@mui/x-charts/models'
import { type ReactNode, useState } from 'react'
import { colourIndexes, palettes, toneIndexes } from './colours.ts'

export type Series = {
  label: string
  /** Stands before the label in the legend. */
  mark?: ReactNode
  /** Null: there is no value. Only lines have gaps. */
  data: readonly (number | null)[]
  /** Green or red, whatever its name. */
  tone?: keyof typeof toneIndexes
}
export type PlotProps = {
  labels: readonly string[]
  series: readonly Series[]
  format?: (value: number) => string
  height?: number
  /** Called with the label of a series and the index of the value that was clicked. */
  onPick?: ((series: string, index: number) => unknown) | undefined
}

type DrawnSeries = {
  /** Names the series in events of the chart library. */
  id: string
  label: string
  mark: ReactNode
  data: (number | null)[]
  color: string
  valueFormatter: (value: number | null) => string | null
}

/** Heights in pixels. */
const legendGap = 8
const legendLine = 26

/** The series with their colours, of which the legend hides some. */
const usePlot = ({ series, format = String }: PlotProps) => {
  const { mode, systemMode } = useColorScheme()
  const palette = palettes[(mode === 'system' ? systemMode : mode) ?? 'light']
  const [hidden, setHidden] = useState<readonly string[]>([])
  const indexes = colourIndexes(
    series.map(each => each.label),
    palette.length,
  )
  const drawn: DrawnSeries[] = series.map(({ label, mark, data, tone }, index) => ({
    id: label,
    label,
    mark,
    data: [...data],
    color: palette[tone ? toneIndexes[tone] : (indexes[index] ?? 0)] ?? palette[0],
    valueFormatter: value => (value ? format(value) : null),
  }))
  const toggle = (label: string) =>
    setHidden(hidden.includes(label) ? hidden.filter(each => each !== label) : [...hidden, label])
  return {
    shown: drawn.filter(each => !hidden.includes(each.label)),
    legend: <Legend series={drawn} hidden={hidden} toggle={toggle} />,
  }
}

type PlotFrameProps = PlotProps & {
  seriesOf: (series: DrawnSeries) => AllSeriesType
  xAxis: { scaleType: 'band' | 'point'; categoryGapRatio?: number }
  /** The line or band that marks the position of the pointer. */
  highlight: 'band' | 'line'
  /** Draws the series. */
  children: ReactNode
}

/** Axes, grid, tooltip and legend. It is composed of parts because the ready-made charts weigh 5 kB more. */
export const PlotFrame = (props: PlotFrameProps) => {
  const { labels, format = String, height = 280, seriesOf, xAxis, highlight, children } = props
  const { shown, legend } = usePlot(props)
  const hasLosses = shown.some(each => each.data.some(value => (value ?? 0) < 0))
  return (
    <Box>
      <ChartsContainer
        height={height}
        // At the right, half of the last label of lines.
        margin={{ left: 0, right: 22, top: 12, bottom: 0 }}
        skipAnimation
        series={shown.map(seriesOf)}
        xAxis={[{ data: [...labels], disableTicks: true, tickLabelMinGap: 10, ...xAxis }]}
        yAxis={[
          {
            valueFormatter: (value: number) => format(value),
            width: 64,
            // Lines would otherwise begin at their lowest value and look steeper than they are.
            ...(hasLosses ? {} : { min: 0 }),
            disableLine: true,
            disableTicks: true,
            tickNumber: 4,
          },
        ]}
        sx={frameStyles}
      >
        <ChartsGrid horizontal />
        {children}
        <ChartsAxisHighlight x={highlight} />
        <ChartsXAxis />
        <ChartsYAxis />
        <ChartsTooltip />
      </ChartsContainer>
      {legend}
    </Box>
  )
}

const frameStyles = {
  '& .MuiChartsGrid-line': { stroke: 'var(--mui-palette-divider)' },
  '& .MuiChartsAxis-line': { stroke: 'var(--mui-palette-divider)' },
  '& .MuiChartsAxis-tickLabel': { fill: 'var(--mui-palette-text-secondary)', fontSize: 12 },
}

type LegendProps = {
  series: readonly Pick<DrawnSeries, 'label' | 'mark' | 'color'>[]
  hidden: readonly string[]
  toggle: (label: string) => void
}

/** Buttons that show and hide the series. On phones they stand on one line that scrolls, so that cards keep their height. */
const Legend = ({ series, hidden, toggle }: LegendProps) => (
  <Box
    sx={{
      display: 'flex',
      flexWrap: { sm: 'wrap' },
      overflowX: 'auto',
      gap: 0.5,
      mt: `${legendGap}px`,
    }}
  >
    {series.map(each => (
      <Button
        key={each.label}
        size="small"
        color="inherit"
        aria-pressed={!hidden.includes(each.label)}
        onClick={() => toggle(each.label)}
        sx={{
          minHeight: legendLine,
          flexShrink: 0,
          py: 0,
          fontSize: 12,
          opacity: hidden.includes(each.label) ? 0.55 : 1,
        }}
        startIcon={<Box sx={{ width: 10, height: 10, borderRadius: '3px', bgcolor: each.color }} />}
      >
        {each.mark && (
          <Box component="span" sx={{ display: 'inline-flex', mr: 0.75 }}>
            {each.mark}
          </Box>
        )}
        {each.label}
      </Button>
    ))}
  </Box>
)
