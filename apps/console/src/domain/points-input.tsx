import InputAdornment from '@mui/material/InputAdornment'
import OutlinedInput from '@mui/material/OutlinedInput'
import { useState } from 'react'
import { useSite } from '../api/site.ts'
import { useT } from '../locales/use-t.ts'
import { sharedInputProps } from '../ui/form/text-control.tsx'
import type { ControlProps } from '../ui/form/types.ts'
import { formatCount } from '../ui/values/format.ts'
import { usdToPoints } from './quota.ts'

/** An input for points that is typed in dollars: people think in money, the ledger counts whole points. */
export const PointsInput = (props: ControlProps) => {
  const site = useSite()
  const t = useT()
  const points = typeof props.value === 'number' ? props.value : undefined
  const [draft, setDraft] = useState(() =>
    points === undefined ? '' : String(points / site.quota_per_unit),
  )
  return (
    <OutlinedInput
      {...sharedInputProps(props)}
      type="number"
      value={draft}
      onChange={event => {
        const text = event.target.value
        setDraft(text)
        props.set(text === '' ? undefined : usdToPoints(Number(text), site))
      }}
      inputProps={{ step: 'any', inputMode: 'decimal' }}
      startAdornment={<InputAdornment position="start">$</InputAdornment>}
      endAdornment={
        points !== undefined && (
          <InputAdornment position="end" sx={{ '& p': { fontSize: 12 } }}>
            {t('common.points', { count: points, value: formatCount(points) })}
          </InputAdornment>
        )
      }
    />
  )
}
