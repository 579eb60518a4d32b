import Box from '@mui/material/Box'
import { type PointerEvent, useState } from 'react'
import type { PlotProps } from './plot-frame.tsx'

type Props = PlotProps & {
  /** Called with the first and the last index of a range that was dragged over. A click selects one bar. */
  onBrush: (from: number, to: number) => unknown
}

/** Small stacked bars with a brush. They are plain boxes, because a page of rows has no room for the chart library. */
export const BrushBars = ({ labels, series, format = String, height = 128, onBrush }: Props) => {
  const { range, handlers } = useBrush(labels.length, onBrush)
  const sumAt = (index: number) => series.reduce((sum, { data }) => sum + (data[index] ?? 0), 0)
  const max = Math.max(1, ...labels.map((_, index) => sumAt(index)))
  const titleAt = (index: number) =>
    [labels[index], ...series.map(each => `${each.label}: ${format(each.data[index] ?? 0)}`)].join(
      '\n',
    )
  return (
    <Box sx={{ height, display: 'flex', flexDirection: 'column', fontSize: 12 }}>
      <Box sx={{ color: 'text.secondary', height: 20 }}>{format(max)}</Box>
      <Box data-brush {...handlers} sx={areaStyle} aria-hidden>
        {labels.map((label, index) => (
          <Box
            key={label}
            title={titleAt(index)}
            sx={{
              ...bandStyle,
              ...(range && isIn(index, range) && { bgcolor: 'action.selected' }),
            }}
          >
            {series.map(({ label: name, data, tone }) => (
              <Box
                key={name}
                sx={{
                  height: `${(100 * (data[index] ?? 0)) / max}%`,
                  minHeight: data[index] ? 2 : 0,
                  bgcolor: `${tone ?? 'info'}.main`,
                }}
              />
            ))}
          </Box>
        ))}
      </Box>
      <Box sx={{ display: 'flex', justifyContent: 'space-between', color: 'text.secondary' }}>
        {[0, 0.5, 1].map(part => (
          <span key={part}>{labels[Math.round(part * (labels.length - 1))]}</span>
        ))}
      </Box>
    </Box>
  )
}

const areaStyle = {
  flex: 1,
  minHeight: 0,
  display: 'flex',
  borderBottom: '1px solid',
  borderColor: 'divider',
  cursor: 'col-resize',
  userSelect: 'none',
  // A vertical swipe still scrolls the page.
  touchAction: 'pan-y',
} as const

const bandStyle = {
  flex: 1,
  minWidth: 0,
  px: '1px',
  display: 'flex',
  flexDirection: 'column-reverse',
  '&:hover': { bgcolor: 'action.hover' },
} as const

type Range = { start: number; end: number }

const isIn = (index: number, { start, end }: Range): boolean =>
  index >= Math.min(start, end) && index <= Math.max(start, end)

/** The bars that are being dragged over, and the pointer handlers of the element that contains them. */
const useBrush = (count: number, select: Props['onBrush']) => {
  const [range, setRange] = useState<Range>()
  const barAt = ({ currentTarget, clientX }: PointerEvent<HTMLElement>): number => {
    const box = currentTarget.getBoundingClientRect()
    const bar = Math.floor(((clientX - box.left) / Math.max(1, box.width)) * count)
    return Math.min(count - 1, Math.max(0, bar))
  }
  const handlers = {
    onPointerDown: (event: PointerEvent<HTMLElement>) => {
      if (event.button !== 0) return
      event.currentTarget.setPointerCapture(event.pointerId)
      const bar = barAt(event)
      setRange({ start: bar, end: bar })
    },
    onPointerMove: (event: PointerEvent<HTMLElement>) => {
      if (range) setRange({ ...range, end: barAt(event) })
    },
    onPointerUp: () => {
      if (range) select(Math.min(range.start, range.end), Math.max(range.start, range.end))
      setRange(undefined)
    },
    onPointerCancel: () => setRange(undefined),
  }
  return { range, handlers }
}
