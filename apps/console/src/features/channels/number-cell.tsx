import OutlinedInput from '@mui/material/OutlinedInput'
import { useState } from 'react'

type Props = {
  value: number
  min: number
  label: string
  save: (value: number) => Promise<unknown>
}

/** A number that is edited in its row: Enter or blur saves a changed value, Escape discards it. */
export const NumberCell = ({ value, min, label, save }: Props) => {
  const [draft, setDraft] = useState<string>()
  const typed = draft === undefined ? value : Number(draft)
  const isValid = draft !== '' && Number.isInteger(typed) && typed >= min && typed <= 1_000_000
  const commit = async () => {
    if (draft === undefined) return
    if (isValid && typed !== value) await save(typed)
    setDraft(undefined)
  }
  return (
    <OutlinedInput
      size="small"
      value={draft ?? String(value)}
      error={!isValid}
      onClick={event => event.stopPropagation()}
      onChange={event => setDraft(event.target.value.trim())}
      onBlur={() => void commit()}
      onKeyDown={event => {
        event.stopPropagation()
        if (event.key === 'Enter') void commit()
        if (event.key === 'Escape') setDraft(undefined)
      }}
      inputProps={{ inputMode: 'numeric', 'aria-label': label }}
      sx={{
        width: 56,
        // Aligns the digits with those of other columns; the border may extend into the cell padding.
        mr: -1,
        fontSize: 13,
        bgcolor: 'transparent',
        '& input': { py: 0.5, px: 1, textAlign: 'right' },
        '&:not(:hover):not(.Mui-focused):not(.Mui-error) .MuiOutlinedInput-notchedOutline': {
          borderColor: 'transparent',
        },
      }}
    />
  )
}
