import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import { useColorScheme } from '@mui/material/styles'
import { BarChart } from '@mui/x-charts/BarChart'
import { useState } from 'react'
import { colourIndexes, palettes, toneIndexes } from './colours.ts'

export type Series = {
  label: string
  data: number[]
  /** Green or red, whatever its name. */
  tone?: keyof typeof toneIndexes
}
export type PlotProps = {
  labels: readonly string[]
  series: readonly Series[]
  format?: (value: number) => string
  height?: number
}

/** The chart itself, in its own chunk because most pages have no chart. */
const Plot = ({ labels, series, format = String, height = 280 }: PlotProps) => {
  const { mode, systemMode } = useColorScheme()
  const palette = palettes[(mode === 'system' ? systemMode : mode) ?? 'light']
  const [hidden, setHidden] = useState<readonly string[]>([])
  const indexes = colourIndexes(
    series.map(each => each.label),
    palette.length,
  )
  const drawn = series.map(({ label, data, tone }, index) => ({
    label,
    data: [...data],
    color: palette[tone ? toneIndexes[tone] : (indexes[index] ?? 0)] ?? palette[0],
    valueFormatter: (value: number | null) => (value ? format(value) : null),
  }))
  const shown = drawn.filter(each => !hidden.includes(each.label))
  const shared = sharedChartProps(height, format)
  const toggle = (label: string) =>
    setHidden(hidden.includes(label) ? hidden.filter(each => each !== label) : [...hidden, label])
  return (
    <Box>
      <BarChart
        {...shared}
        series={shown.map(each => ({ ...each, stack: 'all' }))}
        xAxis={[
          { data: [...labels], scaleType: 'band', disableTicks: true, categoryGapRatio: 0.45 },
        ]}
        borderRadius={3}
      />
      <Legend series={drawn} hidden={hidden} toggle={toggle} />
    </Box>
  )
}
export default Plot

const sharedChartProps = (height: number, format: (value: number) => string) => ({
  height,
  hideLegend: true,
  margin: { left: 0, right: 8, top: 12, bottom: 0 },
  grid: { horizontal: true },
  skipAnimation: true,
  yAxis: [
    {
      valueFormatter: (value: number) => format(value),
      width: 64,
      disableLine: true,
      disableTicks: true,
      tickNumber: 4,
    },
  ],
  sx: {
    '& .MuiChartsGrid-line': { stroke: 'var(--mui-palette-divider)' },
    '& .MuiChartsAxis-line': { stroke: 'var(--mui-palette-divider)' },
    '& .MuiChartsAxis-tickLabel': { fill: 'var(--mui-palette-text-secondary)', fontSize: 12 },
  },
})

type LegendProps = {
  series: readonly { label: string; color: string }[]
  hidden: readonly string[]
  toggle: (label: string) => void
}

/** Buttons that show and hide the series. */
const Legend = ({ series, hidden, toggle }: LegendProps) => (
  <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 0.5, mt: 1 }}>
    {series.map(each => (
      <Button
        key={each.label}
        size="small"
        color="inherit"
        aria-pressed={!hidden.includes(each.label)}
        onClick={() => toggle(each.label)}
        sx={{
          minHeight: 26,
          py: 0,
          fontSize: 12,
          opacity: hidden.includes(each.label) ? 0.55 : 1,
        }}
        startIcon={<Box sx={{ width: 10, height: 10, borderRadius: '3px', bgcolor: each.color }} />}
      >
        {each.label}
      </Button>
    ))}
  </Box>
)
