import AddIcon from 'virtual:icons/add'
import DeleteIcon from 'virtual:icons/delete'
import type { CostPrice } from '@hub/contract'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import IconButton from '@mui/material/IconButton'
import MenuItem from '@mui/material/MenuItem'
import OutlinedInput from '@mui/material/OutlinedInput'
import Select from '@mui/material/Select'
import Stack from '@mui/material/Stack'
import Typography from '@mui/material/Typography'
import { useState } from 'react'
import { Field, useT } from '../../../ui/index.ts'

/** As the server takes it. */
export const isAmount = (text: string): boolean => /^\d{1,9}(\.\d{1,12})?$/.test(text)

type Row = { key: number; price: CostPrice }
type Props = {
  prices: readonly CostPrice[]
  currency: string
  set: (prices: CostPrice[]) => void
}

/** Prices that the operator agreed on, which come before those of the base. */
export const OwnPrices = ({ prices, currency, set }: Props) => {
  const t = useT()
  const [rows, setRows] = useState<Row[]>(() => prices.map((price, key) => ({ key, price })))
  const change = (next: Row[]) => {
    setRows(next)
    set(next.map(each => each.price))
  }
  const add = () => {
    const key = Math.max(-1, ...rows.map(each => each.key)) + 1
    change([...rows, { key, price: { model: '', type: 'tokens', input: '', output: '' } }])
  }
  return (
    <Box>
      <Typography variant="body2" component="h3" sx={{ fontWeight: 500 }}>
        {t('channel.costs.own')}
      </Typography>
      <Typography variant="caption" component="p" sx={{ color: 'text.secondary', mb: 1 }}>
        {t('channel.costs.ownHelp', { currency })}
      </Typography>
      <Stack spacing={1.5}>
        {rows.map(row => (
          <PriceRow
            key={row.key}
            price={row.price}
            update={price =>
              change(rows.map(each => (each.key === row.key ? { ...each, price } : each)))
            }
            remove={() => change(rows.filter(each => each.key !== row.key))}
          />
        ))}
      </Stack>
      <Button color="inherit" startIcon={<AddIcon />} onClick={add} sx={{ mt: 1 }}>
        {t('channel.costs.add')}
      </Button>
    </Box>
  )
}

type PriceRowProps = {
  price: CostPrice
  update: (price: CostPrice) => void
  remove: () => void
}

const columns = {
  xs: 'minmax(0, 1fr) minmax(0, 1fr)',
  md: 'minmax(0, 2.2fr) minmax(0, 1.6fr) repeat(3, minmax(0, 1fr))',
}

const PriceRow = ({ price, update, remove }: PriceRowProps) => {
  const t = useT()
  const isPerCall = price.type === 'times'
  const name = price.model || t('channel.costs.newPrice')
  return (
    <Box
      role="group"
      aria-label={name}
      sx={{ border: '1px solid', borderColor: 'divider', borderRadius: '8px', p: 1.5 }}
    >
      <Stack direction="row" spacing={1} sx={{ alignItems: 'flex-start' }}>
        <Box sx={{ flex: 1, minWidth: 0, display: 'grid', gap: 1, gridTemplateColumns: columns }}>
          <Box sx={{ gridColumn: { xs: '1 / -1', md: 'auto' }, minWidth: 0 }}>
            <Field label={t('channel.costs.columns.model')}>
              {({ id }) => (
                <OutlinedInput
                  fullWidth
                  id={id}
                  value={price.model}
                  placeholder="gpt-4o*"
                  inputProps={{ autoComplete: 'off', spellCheck: false }}
                  onChange={({ target }) => update({ ...price, model: target.value.trim() })}
                />
              )}
            </Field>
          </Box>
          <Box sx={{ gridColumn: { xs: '1 / -1', md: 'auto' }, minWidth: 0 }}>
            <Field label={t('channel.costs.type')}>
              {({ id }) => (
                <Select
                  fullWidth
                  value={price.type}
                  inputProps={{ id }}
                  onChange={({ target }) => update(withType(price, target.value))}
                >
                  <MenuItem value="tokens">{t('channel.costs.types.tokens')}</MenuItem>
                  <MenuItem value="times">{t('channel.costs.types.times')}</MenuItem>
                </Select>
              )}
            </Field>
          </Box>
          <AmountInput
            label={t(isPerCall ? 'channel.costs.sides.call' : 'channel.costs.sides.input')}
            value={price.input}
            set={input => update({ ...price, input })}
          />
          {!isPerCall && (
            <AmountInput
              label={t('channel.costs.sides.output')}
              value={price.output}
              set={output => update({ ...price, output })}
            />
          )}
          {!isPerCall && (
            <AmountInput
              label={t('channel.costs.sides.cached')}
              value={price.cached ?? ''}
              isOptional
              set={cached => update(withCached(price, cached))}
            />
          )}
        </Box>
        <IconButton
          aria-label={t('channel.costs.removePrice', { model: name })}
          onClick={remove}
          sx={{ mt: 2.75 }}
        >
          <DeleteIcon fontSize="small" />
        </IconButton>
      </Stack>
      {(price.extra || price.long || price.tools) && (
        <Typography variant="caption" component="p" sx={{ color: 'text.secondary', mt: 1 }}>
          {t('channel.costs.more')}
        </Typography>
      )}
    </Box>
  )
}

/** A price per call has no other amounts, and the server refuses them. */
const withType = (price: CostPrice, type: CostPrice['type']): CostPrice => {
  const { model, input } = price
  return type === 'times' ? { model, type, input, output: '0' } : { ...price, type, output: '' }
}

const withCached = ({ cached: _, ...price }: CostPrice, cached: string): CostPrice =>
  cached === '' ? price : { ...price, cached }

type AmountProps = {
  label: string
  value: string
  isOptional?: boolean
  set: (text: string) => void
}

const AmountInput = ({ label, value, isOptional = false, set }: AmountProps) => (
  <Field label={label}>
    {({ id }) => (
      <OutlinedInput
        fullWidth
        id={id}
        value={value}
        error={value === '' ? false : !isAmount(value)}
        placeholder={isOptional ? '–' : '0'}
        inputProps={{ inputMode: 'decimal', autoComplete: 'off' }}
        onChange={({ target }) => set(target.value.trim())}
      />
    )}
  </Field>
)
