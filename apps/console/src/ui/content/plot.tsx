import { BarPlot, FocusedBar } from '@mui/x-charts/BarChart'
import { PlotFrame, type PlotProps } from './plot-frame.tsx'

/** Stacked bars, in their own chunk because most pages have no chart. */
const Plot = (props: PlotProps) => (
  <PlotFrame
    {...props}
    seriesOf={each => ({ ...each, type: 'bar', stack: 'all' })}
    xAxis={{ scaleType: 'band', categoryGapRatio: 0.45 }}
    highlight="band"
  >
    <BarPlot
      borderRadius={3}
      skipAnimation
      {...(props.onPick && {
        onItemClick: (_, { seriesId, dataIndex }) => props.onPick?.(String(seriesId), dataIndex),
      })}
    />
    <FocusedBar />
  </PlotFrame>
)
export default Plot
