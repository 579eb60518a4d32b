import Box from '@mui/material/Box'
import { BarChart } from '@mui/x-charts/BarChart'
import { type PlotProps, sharedChartProps, usePlot } from './plot-frame.tsx'

/** Stacked bars, in their own chunk because most pages have no chart. */
const Plot = (props: PlotProps) => {
  const { labels, format = String, height = 280 } = props
  const { shown, legend } = usePlot(props)
  return (
    <Box>
      <BarChart
        {...sharedChartProps(height, format)}
        series={shown.map(each => ({ ...each, stack: 'all' }))}
        xAxis={[
          { data: [...labels], scaleType: 'band', disableTicks: true, categoryGapRatio: 0.45 },
        ]}
        borderRadius={3}
      />
      {legend}
    </Box>
  )
}
export default Plot
