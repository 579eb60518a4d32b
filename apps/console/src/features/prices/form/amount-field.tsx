import InputAdornment from '@mui/material/InputAdornment'
import OutlinedInput from '@mui/material/OutlinedInput'
import Typography from '@mui/material/Typography'
import { useState } from 'react'
import { between, fromRatio, priceText, toRatio, useT, type View } from '../../../ui/index.ts'

type Props = {
  id: string
  described: string | undefined
  invalid: boolean
  /** A multiplier. */
  value: number | undefined
  set: (ratio: number | undefined) => void
  view: View
  byCall: boolean
}

const signs = { ratio: '×', usd: '$', cny: '¥' }

/** A price, typed in any unit and kept as a multiplier; what it means in the others stands below. */
export const AmountField = ({ id, described, invalid, value, set, view, byCall }: Props) => {
  const t = useT()
  const [draft, setDraft] = useState(() => ({
    text: value === undefined ? '' : fromRatio(value, view),
    view,
  }))
  const hasMoved = draft.view.unit !== view.unit || draft.view.scale !== view.scale
  if (hasMoved) setDraft({ text: between(draft.text, draft.view, view), view })
  const per =
    view.unit === 'ratio' ? '' : ` / ${t(byCall ? 'prices.call' : `prices.scales.${view.scale}`)}`

  const change = (text: string) => {
    setDraft({ text, view })
    const ratio = toRatio(text, view)
    set(ratio === undefined ? undefined : Number(ratio))
  }

  return (
    <>
      <OutlinedInput
        id={id}
        fullWidth
        value={draft.text}
        error={invalid}
        startAdornment={<InputAdornment position="start">{signs[view.unit]}</InputAdornment>}
        endAdornment={per && <InputAdornment position="end">{per}</InputAdornment>}
        inputProps={{ inputMode: 'decimal', 'aria-describedby': described, autoComplete: 'off' }}
        onChange={event => change(event.target.value)}
      />
      <Typography
        variant="caption"
        component="p"
        aria-live="polite"
        sx={{ color: 'text.secondary', mt: 0.5, minHeight: 18 }}
      >
        <InOtherUnits ratio={value} byCall={byCall} />
      </Typography>
    </>
  )
}

const InOtherUnits = ({ ratio, byCall }: { ratio: number | undefined; byCall: boolean }) => {
  const t = useT()
  if (ratio === undefined || Number.isNaN(ratio)) return null
  const scale = byCall ? 'k' : 'm'
  const dollars = priceText(ratio, { unit: 'usd', scale })
  if (dollars === undefined) return <>{t('prices.free')}</>
  return (
    <>
      {t(byCall ? 'prices.meansCall' : 'prices.meansMillion', {
        ratio: fromRatio(ratio, { unit: 'ratio', scale: 'k' }),
        usd: dollars,
        cny: priceText(ratio, { unit: 'cny', scale }) ?? '',
      })}
    </>
  )
}
