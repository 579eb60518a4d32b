import type { Price, PriceSuggestion } from '@hub/contract'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Link from '@mui/material/Link'
import Stack from '@mui/material/Stack'
import Typography from '@mui/material/Typography'
import { useState } from 'react'
import { CallPrice, ModelName, PriceAmount, usePriceView } from '../../../domain/index.ts'
import { Badge, useT } from '../../../ui/index.ts'
import { freePrice, isFree, samePrices } from './choices.ts'
import { OwnPrice } from './own-price.tsx'
import { SameAs } from './same-as.tsx'

type Props = {
  suggestion: PriceSuggestion
  price: Price | undefined
  setPrice: (price: Price | undefined) => void
  leaveOut: () => void
}

type RowForm = 'own' | 'same' | undefined

/** One model without a price: the choices, or the chosen price. */
export const UnpricedRow = ({ suggestion, price, setPrice, leaveOut }: Props) => {
  const t = useT()
  const { model, price: suggested } = suggestion
  // Without a suggestion the amounts are what most people type next.
  const [open, setOpen] = useState<RowForm>(suggested || price ? undefined : 'own')
  const choose = (chosen: Price) => {
    setPrice({ ...chosen, model })
    setOpen(undefined)
  }
  const isChosen = price !== undefined && open === undefined
  return (
    <Box component="li" sx={{ p: 1.5, borderTop: '1px solid', borderColor: 'divider' }}>
      <Stack
        direction="row"
        sx={{ alignItems: 'center', flexWrap: 'wrap', columnGap: 2, rowGap: 0.5, minHeight: 32 }}
      >
        <Box sx={{ fontSize: 14, fontWeight: 500, mr: 'auto', minWidth: 0 }}>
          <ModelName name={model} />
        </Box>
        {price && isChosen ? (
          <Chosen price={price} />
        ) : (
          <Badge tone="amber" labelKey="channels.unpriced.none" />
        )}
        {isChosen && (
          <Button size="small" color="inherit" onClick={() => setOpen('own')}>
            {t('channels.unpriced.change')}
          </Button>
        )}
      </Stack>
      {!isChosen && (
        <>
          {open === 'own' && <OwnPrice model={model} price={price} setPrice={setPrice} />}
          {open === 'same' && (
            <Box sx={{ my: 1 }}>
              <SameAs
                label={t('channels.unpriced.sameLabel')}
                choose={found => choose(samePrices(found, [model])[0]!)}
              />
            </Box>
          )}
          {!suggested && suggestion.note && (
            <Typography variant="caption" component="p" sx={{ color: 'text.secondary' }}>
              {suggestion.note}
            </Typography>
          )}
          <Stack direction="row" sx={{ flexWrap: 'wrap', columnGap: 0.5, ml: -0.75 }}>
            {suggested && (
              <Button size="small" onClick={() => choose(suggested)}>
                {t('channels.unpriced.use')}
              </Button>
            )}
            {open !== 'own' && (
              <Button size="small" color="inherit" onClick={() => setOpen('own')}>
                {t('channels.unpriced.own')}
              </Button>
            )}
            <Button
              size="small"
              color="inherit"
              aria-expanded={open === 'same'}
              onClick={() => setOpen(open === 'same' ? undefined : 'same')}
            >
              {t('channels.unpriced.same')}
            </Button>
            <Button size="small" color="inherit" onClick={() => choose(freePrice(model))}>
              {t('channels.unpriced.free')}
            </Button>
            <Button size="small" color="inherit" onClick={leaveOut}>
              {t('channels.unpriced.out')}
            </Button>
          </Stack>
          {suggested && <Suggested suggestion={suggestion} price={suggested} />}
        </>
      )}
    </Box>
  )
}

/** The price that is stored together with the channel. */
const Chosen = ({ price }: { price: Price }) => {
  const t = useT()
  const [view] = usePriceView()
  if (isFree(price))
    return (
      <Stack direction="row" sx={{ alignItems: 'center', gap: 1 }}>
        <Badge tone="green" labelKey="prices.free" />
        <Typography variant="caption" sx={{ color: 'text.secondary' }}>
          {t('prices.help.free')}
        </Typography>
      </Stack>
    )
  if (price.type === 'times') return <CallPrice price={price} view={view} />
  return (
    <Box component="span" sx={{ display: 'inline-flex', flexWrap: 'wrap', columnGap: 1.5 }}>
      {(['input', 'output'] as const).map(side => (
        <Box key={side} component="span" sx={{ whiteSpace: 'nowrap', fontSize: 13 }}>
          <Box component="span" sx={{ color: 'text.secondary', mr: 0.5 }}>
            {t(`prices.fields.${side}`)}
          </Box>
          <PriceAmount ratio={price[side]} byCall={false} view={view} />
        </Box>
      ))}
    </Box>
  )
}

/** The amounts of the suggestion, and the page that they are from. */
const Suggested = ({ suggestion, price }: { suggestion: PriceSuggestion; price: Price }) => {
  const t = useT()
  const { source, date, note } = suggestion
  const host = URL.canParse(source) ? new URL(source).host : ''
  return (
    <Typography
      variant="caption"
      component="div"
      sx={{ color: 'text.secondary', overflowWrap: 'anywhere' }}
    >
      <Chosen price={price} />
      <Box component="span" sx={{ display: 'block' }}>
        {t('prices.suggested', { date })}{' '}
        {host && (
          <Link href={source} target="_blank" rel="noreferrer">
            {host}
          </Link>
        )}
        {note && `. ${note}`}
      </Box>
    </Typography>
  )
}
