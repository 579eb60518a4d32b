import {
  FocusedLineMark,
  LineHighlightPlot,
  LinePlot as Lines,
  MarkPlot,
} from '@mui/x-charts/LineChart'
import { PlotFrame, type PlotProps } from './plot-frame.tsx'

/** Lines with gaps where there is no value, for figures that cannot be stacked. */
const LinePlot = (props: PlotProps) => (
  <PlotFrame
    {...props}
    // A value between two gaps has no line, so that only its mark shows it. Marks can be clicked.
    seriesOf={each => ({
      ...{ ...each, type: 'line', curve: 'linear' },
      showMark: props.onPick ? true : isAlone(each.data),
    })}
    xAxis={{ scaleType: 'point' }}
    highlight="line"
  >
    <Lines skipAnimation />
    <MarkPlot
      skipAnimation
      {...(props.onPick && {
        onItemClick: (_, { seriesId, dataIndex }) =>
          dataIndex !== undefined && props.onPick?.(String(seriesId), dataIndex),
      })}
    />
    <LineHighlightPlot />
    <FocusedLineMark />
  </PlotFrame>
)
export default LinePlot

const isAlone =
  (data: readonly (number | null)[]) =>
  ({ index }: { index: number }): boolean =>
    (data[index - 1] ?? null) === null && (data[index + 1] ?? null) === null
