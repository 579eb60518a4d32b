import AddIcon from 'virtual:icons/add'
import DeleteIcon from 'virtual:icons/delete'
import type { Price } from '@hub/contract'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import IconButton from '@mui/material/IconButton'
import OutlinedInput from '@mui/material/OutlinedInput'
import Stack from '@mui/material/Stack'
import { useRef } from 'react'
import type { PriceView } from '../../../domain/index.ts'
import { AmountField } from '../../../domain/prices/amount-field.tsx'
import { Field, useT } from '../../../ui/index.ts'

type Tier = NonNullable<Price['tiers']>[number]
type Props = {
  id: string
  value: Price['tiers']
  set: (value: Price['tiers']) => void
  view: PriceView
  /** The base price, which is the initial value of the first tier. */
  base: { input: unknown; output: unknown }
}

/** Prices for prompts above a length, in the unit of the form. */
export const TiersField = ({ id, value, set, view, base }: Props) => {
  const t = useT()
  const tiers = value ?? []
  const keys = useTierKeys(tiers.length)
  const setTiers = (next: Tier[]) => set(next.length > 0 ? next : null)
  const update = (index: number, part: Partial<Tier>) =>
    setTiers(tiers.map((tier, each) => (each === index ? { ...tier, ...part } : tier)))
  const add = () => {
    const last = tiers.at(-1)
    const { input, output } = last ?? { input: Number(base.input), output: Number(base.output) }
    keys.append()
    setTiers([...tiers, { above: last ? last.above * 2 : 200_000, input, output }])
  }
  const remove = (index: number) => {
    keys.remove(index)
    setTiers(tiers.filter((_, each) => each !== index))
  }
  return (
    <Stack spacing={1.5} id={id}>
      {tiers.map((tier, index) => (
        <TierGroup
          key={keys.at(index)}
          tier={tier}
          number={index + 1}
          view={view}
          update={part => update(index, part)}
          remove={() => remove(index)}
        />
      ))}
      {tiers.length < 10 && (
        <Button
          color="inherit"
          startIcon={<AddIcon />}
          onClick={add}
          sx={{ alignSelf: 'flex-start' }}
        >
          {t('prices.tier.add')}
        </Button>
      )}
    </Stack>
  )
}

type TierGroupProps = {
  tier: Tier
  number: number
  view: PriceView
  update: (part: Partial<Tier>) => void
  remove: () => void
}

const TierGroup = ({ tier, number, view, update, remove }: TierGroupProps) => {
  const t = useT()
  return (
    <Box role="group" sx={{ border: '1px solid', borderColor: 'divider', borderRadius: 1, p: 1.5 }}>
      <Stack direction="row" spacing={1} sx={{ alignItems: 'flex-end', mb: 1 }}>
        <Box sx={{ flex: 1 }}>
          <Field label={t('prices.tier.above')}>
            {({ id }) => (
              <OutlinedInput
                id={id}
                fullWidth
                type="number"
                value={Number.isNaN(tier.above) ? '' : tier.above}
                error={!Number.isInteger(tier.above) || tier.above < 1}
                onChange={({ target }) =>
                  update({ above: target.value === '' ? Number.NaN : Number(target.value) })
                }
              />
            )}
          </Field>
        </Box>
        <IconButton aria-label={t('prices.tier.remove', { n: number })} onClick={remove}>
          <DeleteIcon fontSize="small" />
        </IconButton>
      </Stack>
      <Box sx={{ display: 'grid', gap: 1, gridTemplateColumns: { xs: '1fr', sm: '1fr 1fr' } }}>
        {(['input', 'output'] as const).map(side => (
          <Field key={side} label={t(`prices.fields.${side}`)}>
            {({ id, describedBy }) => (
              <AmountField
                id={id}
                describedBy={describedBy}
                invalid={Number.isNaN(tier[side])}
                value={tier[side]}
                set={ratio => update({ [side]: ratio ?? Number.NaN })}
                view={view}
                byCall={false}
              />
            )}
          </Field>
        ))}
      </Box>
    </Box>
  )
}

/** Stable React keys, so that each tier keeps its typed text when a tier before it is removed. */
const useTierKeys = (count: number) => {
  const keys = useRef<{ list: number[]; next: number }>({ list: [], next: 0 })
  const { current } = keys
  while (current.list.length < count) current.list.push(current.next++)
  return {
    at: (index: number) => current.list[index],
    append: () => {
      current.list.push(current.next++)
    },
    remove: (index: number) => {
      current.list.splice(index, 1)
    },
  }
}
