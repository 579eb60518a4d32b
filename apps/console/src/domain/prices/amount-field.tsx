import InputAdornment from '@mui/material/InputAdornment'
import OutlinedInput from '@mui/material/OutlinedInput'
import Typography from '@mui/material/Typography'
import { useState } from 'react'
import { useT } from '../../ui/index.ts'
import { convertPrice, fromRatio, type PriceView, priceText, toRatio } from './price.ts'

type Props = {
  id: string
  describedBy: string | undefined
  invalid: boolean
  /** A price ratio. */
  value: number | undefined
  set: (ratio: number | undefined) => void
  view: PriceView
  byCall: boolean
}

const signs = { ratio: '×', usd: '$', cny: '¥' }

/** A price that is typed in any unit and stored as a ratio; the other units are shown below. */
export const AmountField = ({ id, describedBy, invalid, value, set, view, byCall }: Props) => {
  const t = useT()
  const [draft, setDraft] = useState(() => ({
    text: value === undefined ? '' : fromRatio(value, view),
    view,
  }))
  const hasUnitChanged = draft.view.unit !== view.unit || draft.view.scale !== view.scale
  if (hasUnitChanged) setDraft({ text: convertPrice(draft.text, draft.view, view), view })
  const perUnit =
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
        endAdornment={perUnit && <InputAdornment position="end">{perUnit}</InputAdornment>}
        inputProps={{ inputMode: 'decimal', 'aria-describedby': describedBy, autoComplete: 'off' }}
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
      {t(byCall ? 'prices.equivalentCall' : 'prices.equivalentMillion', {
        ratio: fromRatio(ratio, { unit: 'ratio', scale: 'k' }),
        usd: dollars,
        cny: priceText(ratio, { unit: 'cny', scale }) ?? '',
      })}
    </>
  )
}
