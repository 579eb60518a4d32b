import Box from '@mui/material/Box'

type Props = { values: readonly number[]; label: string; isSmall?: boolean }

/** A small line chart. It has a single label, because the figures beside it show the same data. */
export const Sparkline = ({ values, label, isSmall = false }: Props) => {
  const [width, height, edge] = isSmall ? [56, 20, 3] : [120, 36, 3]
  const top = Math.max(...values, 1e-12)
  const step = width / Math.max(1, values.length - 1)
  const points = values.map(
    (value, index) =>
      [index * step, height - edge - (Math.max(0, value) / top) * (height - 2 * edge)] as const,
  )
  const line = points.map(([x, y]) => `${x.toFixed(1)},${y.toFixed(1)}`).join(' ')
  const last = points.at(-1) ?? [0, 0]
  return (
    <Box
      component="svg"
      role="img"
      aria-label={label}
      viewBox={`-3 0 ${width + 6} ${height}`}
      sx={{ display: 'block', flex: '0 1 auto', minWidth: 0, width, height, color: 'primary.main' }}
      preserveAspectRatio="none"
    >
      <polygon
        points={`0,${height} ${line} ${width},${height}`}
        fill="currentColor"
        opacity={0.1}
      />
      <polyline
        points={line}
        fill="none"
        stroke="currentColor"
        strokeWidth={1.75}
        strokeLinejoin="round"
      />
      <circle cx={last[0]} cy={last[1]} r={2.5} fill="currentColor" />
    </Box>
  )
}
