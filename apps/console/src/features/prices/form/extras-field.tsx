import AddIcon from 'virtual:icons/add'
import DeleteIcon from 'virtual:icons/delete'
import { extraRatioKeys, type Price, priceModeNames, type RatioKey } from '@hub/contract'
import Button from '@mui/material/Button'
import IconButton from '@mui/material/IconButton'
import MenuItem from '@mui/material/MenuItem'
import OutlinedInput from '@mui/material/OutlinedInput'
import Select from '@mui/material/Select'
import Stack from '@mui/material/Stack'
import { useState } from 'react'
import { toRatio } from '../../../domain/index.ts'
import { useT } from '../../../ui/index.ts'

type Ratios = NonNullable<Price['extra_ratios']>
type Props = {
  id: string
  value: Price['extra_ratios']
  set: (value: Price['extra_ratios']) => void
  /** The price is one per call, which only a tier, speed or region multiplies. */
  byCall: boolean
}

/** Ratios of token types, relative to the input or output price, and of tiers, speeds and regions. */
export const ExtrasField = ({ id, value, set, byCall }: Props) => {
  const t = useT()
  const [drafts, setDrafts] = useState<Partial<Record<RatioKey, string>>>({})
  const ratios: Ratios = value ?? {}
  const keys: readonly RatioKey[] = byCall ? priceModeNames : extraRatioKeys
  const usedKeys = keys.filter(key => ratios[key] !== undefined)
  const unusedKeys = keys.filter(key => ratios[key] === undefined)
  const setRatios = (next: Ratios) => set(Object.keys(next).length ? next : null)
  const setText = (key: RatioKey, text: string) => {
    setDrafts({ ...drafts, [key]: text })
    const ratio = toRatio(text, { unit: 'ratio', scale: 'k' })
    // Invalid text becomes NaN, so that the schema refuses it and the old value is not saved.
    setRatios({ ...ratios, [key]: ratio === undefined ? Number.NaN : Number(ratio) })
  }
  const ratiosWithout = (key: RatioKey): Ratios =>
    Object.fromEntries(Object.entries(ratios).filter(([each]) => each !== key))
  const add = (key: RatioKey) => setRatios({ ...ratios, [key]: 1 })
  const firstUnused = unusedKeys[0]
  return (
    <Stack spacing={1} id={id}>
      {usedKeys.map(key => (
        <Stack key={key} direction="row" spacing={1} sx={{ alignItems: 'center' }}>
          <Select
            size="small"
            value={key}
            inputProps={{ 'aria-label': t('prices.extraKind') }}
            onChange={event =>
              setRatios({ ...ratiosWithout(key), [event.target.value]: ratios[key] })
            }
            sx={{ flex: 2, minWidth: 0 }}
          >
            {[key, ...unusedKeys].map(each => (
              <MenuItem key={each} value={each}>
                {t(`usage.keys.${each}`)}
              </MenuItem>
            ))}
          </Select>
          <OutlinedInput
            value={drafts[key] ?? String(ratios[key])}
            error={Number.isNaN(ratios[key])}
            inputProps={{ inputMode: 'decimal', 'aria-label': t(`usage.keys.${key}`) }}
            onChange={event => setText(key, event.target.value)}
            sx={{ flex: 1, minWidth: 72 }}
          />
          <IconButton
            aria-label={t('prices.removeExtra', { kind: t(`usage.keys.${key}`) })}
            onClick={() => setRatios(ratiosWithout(key))}
          >
            <DeleteIcon fontSize="small" />
          </IconButton>
        </Stack>
      ))}
      {firstUnused && (
        <Button
          color="inherit"
          startIcon={<AddIcon />}
          onClick={() => add(firstUnused)}
          sx={{ alignSelf: 'flex-start' }}
        >
          {t('prices.addExtra')}
        </Button>
      )}
    </Stack>
  )
}
