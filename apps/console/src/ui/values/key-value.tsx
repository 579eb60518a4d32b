import Box from '@mui/material/Box'
import type { ReactNode } from 'react'

export type KeyValueRow = readonly [label: string, value: ReactNode]

/** A list of labels and values. */
export const KeyValue = ({ rows }: { rows: readonly KeyValueRow[] }) => (
  <Box
    component="dl"
    sx={{
      display: 'grid',
      gridTemplateColumns: 'minmax(96px, 2fr) 3fr',
      m: 0,
      '& > *': { py: 1, m: 0, borderBottom: '1px solid', borderColor: 'divider', minWidth: 0 },
      '& dt': { color: 'text.secondary', fontSize: 13, pr: 2 },
      '& dd': { fontSize: 13, overflowWrap: 'anywhere' },
      '& > *:nth-last-of-type(1)': { borderBottom: 0 },
    }}
  >
    {rows.map(([label, value]) => [
      <dt key={`${label}-label`}>{label}</dt>,
      <dd key={label}>{value}</dd>,
    ])}
  </Box>
)
