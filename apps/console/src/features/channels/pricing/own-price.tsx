import type { Price } from '@hub/contract'
import Box from '@mui/material/Box'
import MenuItem from '@mui/material/MenuItem'
import Select from '@mui/material/Select'
import { useState } from 'react'
import { AmountField } from '../../../domain/prices/amount-field.tsx'
import { Field, useT } from '../../../ui/index.ts'
import { type Amounts, priceOfAmounts } from './choices.ts'

type Props = {
  model: string
  price: Price | undefined
  /** Undefined while an amount is missing. */
  setPrice: (price: Price | undefined) => void
}

const view = { unit: 'usd', scale: 'm' } as const
const callView = { unit: 'usd', scale: 'k' } as const

/** The typed price of a model, in dollars as vendors publish them. */
export const OwnPrice = ({ model, price, setPrice }: Props) => {
  const t = useT()
  const [amounts, setAmounts] = useState<Amounts>(() => ({
    ...{ type: price?.type ?? 'tokens', input: price?.input, output: price?.output },
  }))
  const change = (changed: Partial<Amounts>) => {
    const next = { ...amounts, ...changed }
    setAmounts(next)
    setPrice(priceOfAmounts(model, next))
  }
  const byCall = amounts.type === 'times'
  const sides = byCall ? (['input'] as const) : (['input', 'output'] as const)
  return (
    <Box sx={grid}>
      <Field label={t('prices.fields.type')}>
        {({ id }) => (
          <Select
            id={id}
            labelId={`${id}-label`}
            fullWidth
            size="small"
            value={amounts.type}
            onChange={event => change({ type: event.target.value as Price['type'] })}
          >
            {(['tokens', 'times'] as const).map(each => (
              <MenuItem key={each} value={each}>
                {t(`prices.options.type.${each}`)}
              </MenuItem>
            ))}
          </Select>
        )}
      </Field>
      {sides.map(side => (
        <Field key={side} label={t(`prices.fields.${byCall ? 'price' : side}`)}>
          {({ id, describedBy, invalid }) => (
            <AmountField
              key={String(byCall)}
              {...{ id, describedBy, invalid, byCall }}
              value={amounts[side]}
              set={ratio => change({ [side]: ratio })}
              view={byCall ? callView : view}
            />
          )}
        </Field>
      ))}
    </Box>
  )
}

const grid = {
  display: 'grid',
  gap: 1.5,
  mt: 1,
  gridTemplateColumns: { xs: '1fr 1fr', sm: '150px 1fr 1fr' },
  '& > :first-of-type': { gridColumn: { xs: '1 / -1', sm: 'auto' } },
}
