import Checkbox from '@mui/material/Checkbox'
import type { SxProps } from '@mui/material/styles'
import { useT } from '../../../locales/use-t.ts'
import type { RowKey } from '../types.ts'

export type Selection = {
  selected: readonly RowKey[]
  setSelected: (selected: readonly RowKey[]) => void
}

/** Selects one row for the actions of the bulk bar. */
export const SelectionBox = ({
  rowId,
  selected,
  setSelected,
  sx,
}: Selection & { rowId: RowKey; sx?: SxProps }) => {
  const t = useT()
  const isSelected = selected.includes(rowId)
  return (
    <Checkbox
      size="small"
      {...(sx && { sx })}
      checked={isSelected}
      onChange={() =>
        setSelected(isSelected ? selected.filter(each => each !== rowId) : [...selected, rowId])
      }
      slotProps={{ input: { 'aria-label': t('common.chooseRow', { id: String(rowId) }) } }}
    />
  )
}
