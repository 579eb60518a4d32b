import type { Price, PriceSuggestion } from '@hub/contract'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Stack from '@mui/material/Stack'
import Typography from '@mui/material/Typography'
import { useId, useState } from 'react'
import { useT } from '../../../ui/index.ts'
import { samePrices, withoutPrices, withPrices } from './choices.ts'
import { SameAs } from './same-as.tsx'
import { UnpricedRow } from './unpriced-row.tsx'

export type UnpricedModelsProps = {
  unpriced: readonly PriceSuggestion[]
  /** The chosen prices, which are stored together with the channel. */
  prices: readonly Price[]
  setPrices: (prices: Price[]) => void
  /** Takes what is billed as these names out of the channel. */
  leaveOut: (names: string[]) => void
}

/** More rows than these are drawn on demand: a channel may have hundreds of models. */
const firstRows = 20

/** The models of a channel that have no price, with a choice for each of them and for all at once. */
export const UnpricedModels = (props: UnpricedModelsProps) => {
  const { unpriced, prices, setPrices, leaveOut } = props
  const t = useT()
  const id = useId()
  const [isAll, setAll] = useState(false)
  const shown = isAll ? unpriced : unpriced.slice(0, firstRows)
  const open = unpriced.filter(({ model }) => !prices.some(each => each.model === model))
  return (
    <Box component="section" aria-labelledby={id} sx={frame}>
      <Box sx={{ p: 1.5 }}>
        <Typography id={id} component="p" sx={{ fontSize: 14, fontWeight: 600 }}>
          {t(`channels.unpriced.${open.length > 0 ? 'title' : 'decided'}`, {
            count: open.length || unpriced.length,
          })}
        </Typography>
        <Typography variant="body2" sx={{ color: 'text.secondary', mt: 0.25 }}>
          {t(`channels.unpriced.${open.length > 0 ? 'text' : 'decidedText'}`)}
        </Typography>
        {open.length > 0 && unpriced.length > 1 && <ForAll {...props} open={open} />}
      </Box>
      <Box component="ul" sx={{ listStyle: 'none', m: 0, p: 0 }}>
        {shown.map(suggestion => (
          <UnpricedRow
            key={suggestion.model}
            suggestion={suggestion}
            price={prices.find(each => each.model === suggestion.model)}
            setPrice={price =>
              setPrices(
                price ? withPrices(prices, [price]) : withoutPrices(prices, [suggestion.model]),
              )
            }
            leaveOut={() => leaveOut([suggestion.model])}
          />
        ))}
      </Box>
      {shown.length < unpriced.length && (
        <Button size="small" color="inherit" sx={{ m: 1 }} onClick={() => setAll(true)}>
          {t('prices.showAll', { count: unpriced.length })}
        </Button>
      )}
    </Box>
  )
}

/** The choices for every model that has none yet. */
const ForAll = ({
  prices,
  setPrices,
  leaveOut,
  open,
}: UnpricedModelsProps & { open: readonly PriceSuggestion[] }) => {
  const t = useT()
  const [isSame, setSame] = useState(false)
  const names = open.map(each => each.model)
  const suggested = open.flatMap(({ model, price }) => (price ? [{ ...price, model }] : []))
  return (
    <>
      <Stack direction="row" sx={{ flexWrap: 'wrap', gap: 1, mt: 1.25 }}>
        {suggested.length > 0 && (
          <Button
            size="small"
            variant="contained"
            onClick={() => setPrices(withPrices(prices, suggested))}
          >
            {t('channels.unpriced.useSuggested', { count: suggested.length })}
          </Button>
        )}
        <Button
          size="small"
          variant="outlined"
          color="inherit"
          aria-expanded={isSame}
          onClick={() => setSame(!isSame)}
        >
          {t('channels.unpriced.allSame', { count: names.length })}
        </Button>
        <Button size="small" variant="outlined" color="inherit" onClick={() => leaveOut(names)}>
          {t('channels.unpriced.allOut', { count: names.length })}
        </Button>
      </Stack>
      {isSame && (
        <Box sx={{ mt: 1 }}>
          <SameAs
            label={t('channels.unpriced.sameLabel')}
            choose={price => setPrices(withPrices(prices, samePrices(price, names)))}
          />
        </Box>
      )}
    </>
  )
}

const frame = {
  border: '1px solid',
  borderColor: 'warning.main',
  borderRadius: '8px',
  overflow: 'hidden',
}
