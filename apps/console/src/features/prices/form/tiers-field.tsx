import type { Price } from '@hub/contract'
import AddIcon from '@mui/icons-material/AddOutlined'
import DeleteIcon from '@mui/icons-material/DeleteOutlined'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import IconButton from '@mui/material/IconButton'
import OutlinedInput from '@mui/material/OutlinedInput'
import Stack from '@mui/material/Stack'
import { useRef } from 'react'
import { Field, useT, type View } from '../../../ui/index.ts'
import { AmountField } from './amount-field.tsx'

type Tier = NonNullable<Price['tiers']>[number]
type Props = {
  id: string
  value: Price['tiers']
  set: (value: Price['tiers']) => void
  view: View
  /** The price before any tier: what a new one starts with. */
  base: { input: unknown; output: unknown }
}

/** Prices of prompts above a length. Each side is typed in the unit of the form. */
export const TiersField = ({ id, value, set, view, base }: Props) => {
  const t = useT()
  const tiers = value ?? []
  const keys = useKeys(tiers.length)
  const put = (next: Tier[]) => set(next.length > 0 ? next : null)
  const change = (at: number, part: Partial<Tier>) =>
    put(tiers.map((tier, each) => (each === at ? { ...tier, ...part } : tier)))
  const add = () => {
    const last = tiers.at(-1)
    const { input, output } = last ?? { input: Number(base.input), output: Number(base.output) }
    keys.added()
    put([...tiers, { above: last ? last.above * 2 : 200_000, input, output }])
  }
  const remove = (at: number) => {
    keys.removed(at)
    put(tiers.filter((_, each) => each !== at))
  }
  return (
    <Stack spacing={1.5} id={id}>
      {tiers.map((tier, at) => (
        <Box
          key={keys.of(at)}
          role="group"
          sx={{ border: '1px solid', borderColor: 'divider', borderRadius: 1, p: 1.5 }}
        >
          <Stack direction="row" spacing={1} sx={{ alignItems: 'flex-end', mb: 1 }}>
            <Box sx={{ flex: 1 }}>
              <Field label={t('prices.tier.above')}>
                {({ id: field }) => (
                  <OutlinedInput
                    id={field}
                    fullWidth
                    type="number"
                    value={Number.isNaN(tier.above) ? '' : tier.above}
                    error={!Number.isInteger(tier.above) || tier.above < 1}
                    onChange={event =>
                      change(at, {
                        above: event.target.value === '' ? Number.NaN : Number(event.target.value),
                      })
                    }
                  />
                )}
              </Field>
            </Box>
            <IconButton
              aria-label={t('prices.tier.remove', { n: at + 1 })}
              onClick={() => remove(at)}
            >
              <DeleteIcon fontSize="small" />
            </IconButton>
          </Stack>
          <Box sx={{ display: 'grid', gap: 1, gridTemplateColumns: { xs: '1fr', sm: '1fr 1fr' } }}>
            {(['input', 'output'] as const).map(side => (
              <Field key={side} label={t(`prices.fields.${side}`)}>
                {({ id: field, described }) => (
                  <AmountField
                    id={field}
                    described={described}
                    invalid={Number.isNaN(tier[side])}
                    value={tier[side]}
                    set={ratio => change(at, { [side]: ratio ?? Number.NaN })}
                    view={view}
                    byCall={false}
                  />
                )}
              </Field>
            ))}
          </Box>
        </Box>
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

/** A tier keeps its fields when one before it goes: what is typed in them is the field's own. */
const useKeys = (count: number) => {
  const keys = useRef<{ list: number[]; next: number }>({ list: [], next: 0 })
  const { current } = keys
  while (current.list.length < count) current.list.push(current.next++)
  return {
    of: (at: number) => current.list[at],
    added: () => {
      current.list.push(current.next++)
    },
    removed: (at: number) => {
      current.list.splice(at, 1)
    },
  }
}
