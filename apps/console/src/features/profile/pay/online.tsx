import type { PayGateway } from '@hub/contract'
import { topUpMax, topUpProblem } from '@hub/contract/top-up-price'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import ButtonBase from '@mui/material/ButtonBase'
import OutlinedInput from '@mui/material/OutlinedInput'
import Stack from '@mui/material/Stack'
import { useState } from 'react'
import { useSite } from '../../../api'
import { PaymentMark } from '../../../domain/marks/payment-mark.tsx'
import { Card, Field, formatCount, formatPercent, useT } from '../../../ui'
import { onArrowKeys } from '../../../ui/table/arrow-keys.ts'
import { presetsOf } from './amounts.ts'
import { PayDialog } from './pay-dialog.tsx'
import { PriceLines } from './price-lines.tsx'

type Props = {
  gateways: readonly PayGateway[]
  /** Called with the number of an order that was made. */
  onPlaced: (tradeNo: string) => void
  /** Called when the dialog of an order is closed. */
  onClosed: () => void
}

/** Buys quota at a payment gateway. The first gateway is preselected. */
export const OnlineTopUp = ({ gateways, onPlaced, onClosed }: Props) => {
  const t = useT()
  const site = useSite()
  const [uuid, setUuid] = useState(gateways[0]?.uuid)
  const [amount, setAmount] = useState<number>()
  const [error, setError] = useState<string>()
  const [paying, setPaying] = useState<{ uuid: string; amount: number }>()
  const gateway = gateways.find(each => each.uuid === uuid)
  const minimum = site.PaymentMinAmount
  const problem = topUpProblem(amount ?? Number.NaN, minimum)

  const choose = (next: number | undefined) => {
    setAmount(next)
    setError(undefined)
  }
  const pay = () => {
    if (!gateway) setError(t('topup.errors.gateway'))
    else if (problem)
      setError(t(`topup.errors.${problem}`, { minimum, maximum: formatCount(topUpMax) }))
    else if (amount !== undefined) setPaying({ uuid: gateway.uuid, amount })
  }
  const close = () => {
    setPaying(undefined)
    onClosed()
  }
  return (
    <Card title={t('topup.online')}>
      <Stack spacing={2.5}>
        <Gateways gateways={gateways} chosen={uuid} choose={setUuid} />
        <Presets text={site.RechargeDiscount} chosen={amount} choose={choose} />
        <Field
          label={t('topup.amount')}
          help={t('topup.minimum', { minimum: formatCount(minimum) })}
          error={error}
        >
          {({ id, describedBy, invalid }) => (
            <OutlinedInput
              id={id}
              fullWidth
              type="number"
              error={invalid}
              value={amount ?? ''}
              aria-describedby={describedBy}
              startAdornment={<Box sx={{ mr: 0.5, color: 'text.secondary' }}>$</Box>}
              inputProps={{ inputMode: 'numeric', min: minimum, step: 1 }}
              onChange={({ target }) =>
                choose(target.value === '' ? undefined : Number(target.value))
              }
            />
          )}
        </Field>
        {gateway && amount !== undefined && !problem && (
          <PriceLines amount={amount} gateway={gateway} site={site} />
        )}
        <Button variant="contained" onClick={pay} sx={{ alignSelf: 'flex-start' }}>
          {t('topup.pay')}
        </Button>
      </Stack>
      {paying && <PayDialog order={paying} onPlaced={onPlaced} close={close} />}
    </Card>
  )
}

type GatewaysProps = {
  gateways: readonly PayGateway[]
  chosen: string | undefined
  choose: (uuid: string) => void
}

const Gateways = ({ gateways, chosen, choose }: GatewaysProps) => {
  const t = useT()
  return (
    <Box
      role="radiogroup"
      aria-label={t('topup.gateway')}
      onKeyDown={onArrowKeys('[role=radio]')}
      sx={{ display: 'grid', gap: 1, gridTemplateColumns: 'repeat(auto-fill, minmax(180px, 1fr))' }}
    >
      {gateways.map(({ uuid, name, icon }) => (
        <ButtonBase
          key={uuid}
          role="radio"
          aria-checked={uuid === chosen}
          onClick={() => choose(uuid)}
          sx={choiceStyle(uuid === chosen)}
        >
          <PaymentMark icon={icon} name={name} />
          {name}
        </ButtonBase>
      ))}
    </Box>
  )
}

const choiceStyle = (isChosen: boolean) => ({
  justifyContent: 'flex-start',
  textAlign: 'left',
  fontFamily: 'inherit',
  gap: 1.25,
  px: 1.5,
  minHeight: 48,
  fontSize: 14,
  borderRadius: '8px',
  border: '1px solid',
  borderColor: isChosen ? 'primary.main' : 'divider',
  boxShadow: isChosen ? 'inset 0 0 0 1px var(--mui-palette-primary-main)' : 'none',
})

type PresetsProps = {
  text: string
  chosen: number | undefined
  choose: (amount: number) => void
}

const Presets = ({ text, chosen, choose }: PresetsProps) => {
  const t = useT()
  const presets = presetsOf(text)
  if (presets.length === 0) return null
  return (
    <Stack
      direction="row"
      role="group"
      aria-label={t('topup.presets')}
      sx={{ flexWrap: 'wrap', gap: 1 }}
    >
      {presets.map(({ amount, factor }) => (
        <ButtonBase
          key={amount}
          aria-pressed={amount === chosen}
          onClick={() => choose(amount)}
          sx={choiceStyle(amount === chosen)}
        >
          ${formatCount(amount)}
          {factor !== 1 && (
            <Box component="span" sx={{ fontSize: 12, color: 'text.secondary' }}>
              {t('topup.paid', { share: formatPercent(factor * 100, { places: 2 }) })}
            </Box>
          )}
        </ButtonBase>
      ))}
    </Stack>
  )
}
