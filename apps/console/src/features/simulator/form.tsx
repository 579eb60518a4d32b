import PlayIcon from 'virtual:icons/play-arrow'
import StopIcon from 'virtual:icons/stop'
import type { Group } from '@hub/contract'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Stack from '@mui/material/Stack'
import ToggleButton from '@mui/material/ToggleButton'
import ToggleButtonGroup from '@mui/material/ToggleButtonGroup'
import Typography from '@mui/material/Typography'
import { useId } from 'react'
import { ModelName } from '../../domain/index.ts'
import { Card, useT } from '../../ui/index.ts'
import { type EditedPrice, type EditedRatio, isPriceText, isRatioText } from './changes.ts'
import { AddField, AmountField, ChangeRow } from './rows.tsx'

export type Days = '1' | '7' | '30' | '90'

type Props = {
  days: number
  setDays: (days: Days) => void
  changes: EditedPrice[]
  setChanges: (changes: EditedPrice[]) => void
  ratios: EditedRatio[]
  setRatios: (ratios: EditedRatio[]) => void
  addPrice: (model: string) => void
  addGroup: (symbol: string) => void
  /** Models and groups that can still be added. */
  unchanged: { models: string[]; groups: Group[] }
  isRunning: boolean
  start: () => void
  stop: () => void
}

const choices: readonly Days[] = ['1', '7', '30', '90']

export const ScenarioForm = (props: Props) => {
  const t = useT()
  const { days, setDays, changes, ratios, isRunning, start, stop } = props
  const daysId = useId()
  const isValid =
    changes.every(
      ({ price, input, output }) => isPriceText(price, input) && isPriceText(price, output),
    ) && ratios.every(({ ratio }) => isRatioText(ratio))
  return (
    <Card>
      <Stack spacing={3} sx={{ maxWidth: 720 }}>
        <Box>
          <Typography id={daysId} sx={{ fontSize: 13, fontWeight: 500, mb: 0.5 }}>
            {t('simulator.days')}
          </Typography>
          <ToggleButtonGroup
            exclusive
            size="small"
            aria-labelledby={daysId}
            value={String(days)}
            onChange={(_, next: Days | null) => next && setDays(next)}
          >
            {choices.map(each => (
              <ToggleButton key={each} value={each} sx={{ px: 2 }}>
                {t(`simulator.lastDays.${each}`)}
              </ToggleButton>
            ))}
          </ToggleButtonGroup>
        </Box>
        <Prices {...props} />
        <Groups {...props} />
        <Stack
          direction={{ xs: 'column', sm: 'row' }}
          spacing={1.5}
          sx={{ alignItems: { xs: 'flex-start', sm: 'center' } }}
        >
          {isRunning ? (
            <Button variant="outlined" startIcon={<StopIcon />} onClick={stop}>
              {t('simulator.stop')}
            </Button>
          ) : (
            <Button
              variant="contained"
              startIcon={<PlayIcon />}
              disabled={!isValid}
              onClick={start}
            >
              {t('simulator.run')}
            </Button>
          )}
          {changes.length + ratios.length === 0 && (
            <Typography variant="body2" sx={{ color: 'text.secondary' }}>
              {t('simulator.nothingChanged')}
            </Typography>
          )}
        </Stack>
      </Stack>
    </Card>
  )
}

const Prices = ({ changes, setChanges, addPrice, unchanged }: Props) => {
  const t = useT()
  const set = (index: number, change: Partial<EditedPrice>) =>
    setChanges(changes.map((each, n) => (n === index ? { ...each, ...change } : each)))
  return (
    <Box component="section">
      <Typography variant="h3" component="h2">
        {t('simulator.prices')}
      </Typography>
      <Typography variant="body2" sx={{ color: 'text.secondary', mb: 1 }}>
        {t('simulator.pricesHelp')}
      </Typography>
      {changes.map((change, index) => {
        const { price } = change
        const unit = t(price.type === 'times' ? 'simulator.perCall' : 'simulator.perMillion')
        const sides = price.type === 'times' ? (['input'] as const) : (['input', 'output'] as const)
        return (
          <ChangeRow
            key={price.model}
            name={price.model}
            label={<ModelName name={price.model} />}
            remove={() => setChanges(changes.filter((_, n) => n !== index))}
          >
            {sides.map(side => (
              <AmountField
                key={side}
                label={t('simulator.amount', {
                  side: t(price.type === 'times' ? 'simulator.call' : `simulator.${side}`),
                  unit,
                })}
                prefix="$"
                value={change[side]}
                isInvalid={!isPriceText(price, change[side])}
                set={value => set(index, { [side]: value })}
              />
            ))}
          </ChangeRow>
        )
      })}
      <AddField
        label={t('simulator.addModel')}
        options={unchanged.models.map(model => ({ value: model, label: model }))}
        add={addPrice}
      />
    </Box>
  )
}

const Groups = ({ ratios, setRatios, addGroup, unchanged }: Props) => {
  const t = useT()
  return (
    <Box component="section">
      <Typography variant="h3" component="h2" sx={{ mb: 1 }}>
        {t('simulator.groups')}
      </Typography>
      {ratios.map(({ symbol, ratio }, index) => (
        <ChangeRow
          key={symbol}
          name={symbol}
          remove={() => setRatios(ratios.filter((_, n) => n !== index))}
        >
          <AmountField
            label={t('simulator.ratio')}
            prefix="×"
            value={ratio}
            isInvalid={!isRatioText(ratio)}
            set={value =>
              setRatios(ratios.map((each, n) => (n === index ? { ...each, ratio: value } : each)))
            }
          />
        </ChangeRow>
      ))}
      <AddField
        label={t('simulator.addGroup')}
        options={unchanged.groups.map(({ symbol, name }) => ({
          value: symbol,
          label: `${name} (${symbol})`,
        }))}
        add={addGroup}
      />
    </Box>
  )
}
