import Box from '@mui/material/Box'
import { LineChart } from '@mui/x-charts/LineChart'
import { type PlotProps, sharedChartProps, usePlot } from './plot-frame.tsx'

/** Lines with gaps where there is no value, for figures that cannot be stacked. */
const LinePlot = (props: PlotProps) => {
  const { labels, format = String, height = 280 } = props
  const { shown, legend } = usePlot(props)
  return (
    <Box>
      <LineChart
        {...sharedChartProps(height, format)}
        // A value between two gaps has no line, so that only its mark shows it.
        series={shown.map(each => ({ ...each, curve: 'linear', showMark: isAlone(each.data) }))}
        xAxis={[{ data: [...labels], scaleType: 'point', disableTicks: true }]}
      />
      {legend}
    </Box>
  )
}
export default LinePlot

const isAlone =
  (data: readonly (number | null)[]) =>
  ({ index }: { index: number }): boolean =>
    (data[index - 1] ?? null) === null && (data[index + 1] ?? null) === null
