import { extraRatioKeys, type Price } from '@hub/contract'
import AddIcon from '@mui/icons-material/AddOutlined'
import DeleteIcon from '@mui/icons-material/DeleteOutlined'
import Button from '@mui/material/Button'
import IconButton from '@mui/material/IconButton'
import MenuItem from '@mui/material/MenuItem'
import OutlinedInput from '@mui/material/OutlinedInput'
import Select from '@mui/material/Select'
import Stack from '@mui/material/Stack'
import { useState } from 'react'
import { toRatio, useT } from '../../../ui/index.ts'

type Ratios = NonNullable<Price['extra_ratios']>
type Key = (typeof extraRatioKeys)[number]
type Props = {
  id: string
  value: Price['extra_ratios']
  set: (value: Price['extra_ratios']) => void
}

/** Multipliers of some kinds of tokens, relative to the input or the output price. */
export const ExtrasField = ({ id, value, set }: Props) => {
  const t = useT()
  const [texts, setTexts] = useState<Partial<Record<Key, string>>>({})
  const ratios: Ratios = value ?? {}
  const used = extraRatioKeys.filter(key => ratios[key] !== undefined)
  const free = extraRatioKeys.filter(key => ratios[key] === undefined)
  const put = (next: Ratios) => set(Object.keys(next).length ? next : null)
  const type = (key: Key, text: string) => {
    setTexts({ ...texts, [key]: text })
    const ratio = toRatio(text, { unit: 'ratio', scale: 'k' })
    // What is no number is kept as such, so that the schema refuses it instead of the old value standing in.
    put({ ...ratios, [key]: ratio === undefined ? Number.NaN : Number(ratio) })
  }
  const without = (key: Key): Ratios =>
    Object.fromEntries(Object.entries(ratios).filter(([each]) => each !== key))
  const add = (key: Key) => put({ ...ratios, [key]: 1 })
  const first = free[0]
  return (
    <Stack spacing={1} id={id}>
      {used.map(key => (
        <Stack key={key} direction="row" spacing={1} sx={{ alignItems: 'center' }}>
          <Select
            size="small"
            value={key}
            inputProps={{ 'aria-label': t('prices.extraKind') }}
            onChange={event => put({ ...without(key), [event.target.value]: ratios[key] })}
            sx={{ flex: 2, minWidth: 0 }}
          >
            {[key, ...free].map(each => (
              <MenuItem key={each} value={each}>
                {t(`prices.extras.${each}`)}
              </MenuItem>
            ))}
          </Select>
          <OutlinedInput
            value={texts[key] ?? String(ratios[key])}
            error={Number.isNaN(ratios[key])}
            inputProps={{ inputMode: 'decimal', 'aria-label': t(`prices.extras.${key}`) }}
            onChange={event => type(key, event.target.value)}
            sx={{ flex: 1, minWidth: 72 }}
          />
          <IconButton
            aria-label={t('prices.removeExtra', { kind: t(`prices.extras.${key}`) })}
            onClick={() => put(without(key))}
          >
            <DeleteIcon fontSize="small" />
          </IconButton>
        </Stack>
      ))}
      {first && (
        <Button
          color="inherit"
          startIcon={<AddIcon />}
          onClick={() => add(first)}
          sx={{ alignSelf: 'flex-start' }}
        >
          {t('prices.addExtra')}
        </Button>
      )}
    </Stack>
  )
}
