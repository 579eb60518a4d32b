import Stack from '@mui/material/Stack'
import ToggleButton from '@mui/material/ToggleButton'
import ToggleButtonGroup from '@mui/material/ToggleButtonGroup'
import { useReducer } from 'react'
import { useT } from '../../locales/use-t.ts'
import { useAddress } from '../../ui/index.ts'
import { type PriceView, type Scale, scales, type Unit, units } from './price.ts'

export type SetPriceView = (part: Partial<PriceView>) => void
type Props = { view: PriceView; setView: SetPriceView; byCall?: boolean }

/** Switches prices between multipliers, dollars and yuan, and between 1,000 and 1,000,000 tokens. */
export const PriceViewToggle = ({ view, setView, byCall = false }: Props) => {
  const t = useT()
  return (
    <Stack direction="row" sx={{ flexWrap: 'wrap', gap: 1 }}>
      <ToggleButtonGroup
        exclusive
        size="small"
        value={view.unit}
        aria-label={t('prices.unit')}
        onChange={(_, unit: Unit | null) => unit && setView({ unit })}
        sx={{ '& button': { px: 1.5, height: 36 } }}
      >
        {units.map(unit => (
          <ToggleButton key={unit} value={unit}>
            {t(`prices.units.${unit}`)}
          </ToggleButton>
        ))}
      </ToggleButtonGroup>
      {view.unit !== 'ratio' && !byCall && (
        <ToggleButtonGroup
          exclusive
          size="small"
          value={view.scale}
          aria-label={t('prices.scale')}
          onChange={(_, scale: Scale | null) => scale && setView({ scale })}
          sx={{ '& button': { px: 1.5, height: 36 } }}
        >
          {scales.map(scale => (
            <ToggleButton key={scale} value={scale}>
              {t(`prices.scales.${scale}`)}
            </ToggleButton>
          ))}
        </ToggleButtonGroup>
      )}
    </Stack>
  )
}

const isOneOf = <V extends string>(list: readonly V[], value: string | null): value is V =>
  list.includes(value as V)

/** The price view in the URL. The default is dollars per million tokens. */
export const usePriceView = (): [PriceView, SetPriceView] => {
  const [params, change] = useAddress()
  const unit = params.get('unit')
  const scale = params.get('scale')
  const view: PriceView = {
    unit: isOneOf(units, unit) ? unit : 'usd',
    scale: isOneOf(scales, scale) ? scale : 'm',
  }
  return [view, part => change(part, { replace: true })]
}

/** A price view that is not in the URL, such as that of a form. */
export const useOwnPriceView = (initial: PriceView): [PriceView, SetPriceView] =>
  useReducer((view: PriceView, part: Partial<PriceView>) => ({ ...view, ...part }), initial)
