import ChevronIcon from 'virtual:icons/chevron-right'
import Box from '@mui/material/Box'
import ButtonBase from '@mui/material/ButtonBase'
import Stack from '@mui/material/Stack'
import { Card } from '../../ui/index.ts'
import { type FeatureRow, type FeatureSection, type FormatPair, stateOf } from './grid.ts'
import { StateText } from './state.tsx'

type Props = {
  sections: FeatureSection[]
  pair: FormatPair
  open: (feature: string, cell: string) => void
}

/** The features of one caller and one upstream, for narrow screens. */
export const PairList = ({ sections, pair, open }: Props) => (
  <Stack spacing={2}>
    {sections.map(({ label, rows }) => (
      <Card key={label} title={label} flush>
        <Box component="ul" sx={{ m: 0, p: 0, listStyle: 'none' }}>
          {rows.map(row => (
            <Box
              component="li"
              key={row.name}
              sx={{ borderTop: '1px solid', borderColor: 'divider' }}
            >
              <FeatureLine {...{ row, pair }} open={() => open(row.name, pair.key)} />
            </Box>
          ))}
        </Box>
      </Card>
    ))}
  </Stack>
)

const FeatureLine = ({
  row,
  pair,
  open,
}: {
  row: FeatureRow
  pair: FormatPair
  open: () => void
}) => {
  const cell = row.cells[pair.key]
  return (
    <ButtonBase
      aria-haspopup="dialog"
      onClick={open}
      sx={{
        width: '100%',
        minHeight: 48,
        justifyContent: 'flex-start',
        gap: 1.5,
        pl: 2.5,
        pr: 1,
        py: 1,
        font: 'inherit',
        textAlign: 'left',
        '&:hover': { bgcolor: 'action.hover' },
      }}
    >
      <Box component="span" sx={{ flex: 1, minWidth: 0, overflowWrap: 'anywhere' }}>
        {row.label}
      </Box>
      {cell && <StateText state={stateOf(cell)} />}
      <ChevronIcon aria-hidden sx={{ fontSize: 18, color: 'text.secondary' }} />
    </ButtonBase>
  )
}
