import type { ConformanceCaller } from '@hub/contract'
import Box from '@mui/material/Box'
import ButtonBase from '@mui/material/ButtonBase'
import { Card, useT } from '../../ui/index.ts'
import {
  countOf,
  type FeatureRow,
  type FormatPair,
  nameOf,
  pairsOf,
  type ResultState,
  resultStates,
} from './grid.ts'
import { colourOf } from './state.tsx'

type Props = {
  rows: readonly FeatureRow[]
  callers: readonly ConformanceCaller[]
  upstreams: readonly string[]
  /** The key of the chosen pair. */
  selected: string | undefined
  /** Undefined: all pairs. */
  select: (pair: FormatPair | undefined) => void
}

/** How many features work between each format of callers and each format of vendors. A cell chooses its pair. */
export const Matrix = ({ rows, callers, upstreams, selected, select }: Props) => {
  const t = useT()
  // One row for each format: a second transport of a format has the same features.
  const first = callers.filter(
    (each, at) => callers.findIndex(({ dialect }) => dialect === each.dialect) === at,
  )
  return (
    <Card title={t('conformance.matrix.title')}>
      <Box
        component="table"
        sx={{
          width: 1,
          tableLayout: 'fixed',
          borderCollapse: 'separate',
          borderSpacing: { xs: '2px', sm: '4px' },
        }}
      >
        <caption style={{ captionSide: 'bottom', textAlign: 'start' }}>
          <Box component="span" sx={{ fontSize: 12, color: 'text.secondary' }}>
            {t('conformance.matrix.help')}
          </Box>
        </caption>
        <thead>
          <tr>
            <Box component="td" sx={{ width: { xs: '21%', sm: '18%' } }} />
            {upstreams.map(each => (
              <Box key={each} component="th" scope="col" sx={heading}>
                <Box component="span" sx={wideOnly}>
                  →{' '}
                </Box>
                {nameOf(each)}
              </Box>
            ))}
          </tr>
        </thead>
        <tbody>
          {first.map(caller => (
            <tr key={caller.id}>
              <Box component="th" scope="row" sx={{ ...heading, textAlign: 'start' }}>
                {nameOf(caller.dialect)}
              </Box>
              {pairsOf([caller], upstreams).map(pair => (
                <td key={pair.key}>
                  <Cell
                    counts={countOf(rows, [pair])}
                    isSelected={selected === pair.key}
                    name={`${nameOf(caller.dialect)} → ${nameOf(pair.upstream)}`}
                    onSelect={() => select(selected === pair.key ? undefined : pair)}
                  />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </Box>
    </Card>
  )
}

const heading = { fontSize: { xs: 10, sm: 13 }, fontWeight: 500 } as const
const wideOnly = { display: { xs: 'none', sm: 'inline' } } as const

type CellProps = {
  counts: Record<ResultState, number>
  isSelected: boolean
  name: string
  onSelect: () => void
}

const Cell = ({ counts, isSelected, name, onSelect }: CellProps) => {
  const t = useT()
  const total = resultStates.reduce((sum, each) => sum + counts[each], 0)
  const works = counts.ok + counts.converted
  return (
    <ButtonBase
      aria-pressed={isSelected}
      aria-label={t('conformance.matrix.cell', { name, works, total })}
      onClick={onSelect}
      sx={{
        ...{
          width: 1,
          display: 'block',
          p: { xs: 0.75, sm: 1 },
          borderRadius: 1,
          border: '1px solid',
          font: 'inherit',
        },
        borderColor: isSelected ? 'primary.main' : 'divider',
        '&:hover': { bgcolor: 'action.hover' },
      }}
    >
      <Box component="span" sx={{ fontVariantNumeric: 'tabular-nums', fontSize: 13 }}>
        {works}
        <Box component="span" sx={wideOnly}>
          {' '}
          / {total}
        </Box>
      </Box>
      <Box
        aria-hidden
        sx={{ display: 'flex', height: 4, mt: 0.5, borderRadius: 1, overflow: 'hidden' }}
      >
        {resultStates.map(state => (
          <Box key={state} sx={{ bgcolor: colourOf(state) }} style={{ flexGrow: counts[state] }} />
        ))}
      </Box>
    </ButtonBase>
  )
}
