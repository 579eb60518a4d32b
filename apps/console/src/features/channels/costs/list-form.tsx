import type { ChannelCosts, CostList } from '@hub/contract'
import Alert from '@mui/material/Alert'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import FormControlLabel from '@mui/material/FormControlLabel'
import MenuItem from '@mui/material/MenuItem'
import OutlinedInput from '@mui/material/OutlinedInput'
import Select from '@mui/material/Select'
import Stack from '@mui/material/Stack'
import { useState } from 'react'
import { api } from '../../../api/index.ts'
import { UnsavedGuard } from '../../../ui/form/unsaved.tsx'
import { ConfirmButton, Field, Switch, useAction, useT } from '../../../ui/index.ts'
import { isAmount, OwnPrices } from './own-prices.tsx'

type Props = { channelId: number; costs: ChannelCosts }

/** The list that is in force, or the one that a channel without a list has by itself. */
const initialOf = ({ list, default_base }: ChannelCosts): CostList =>
  list ?? {
    ...{ base: default_base, factor: '1', currency: null, prices: [] },
    reported: default_base === 'list',
  }

export const CostListForm = ({ channelId, costs }: Props) => {
  const t = useT()
  const initial = initialOf(costs)
  const [list, setList] = useState(initial)
  const update = (part: Partial<CostList>) => setList(before => ({ ...before, ...part }))
  const save = useAction(['channels'], api.channels.setCosts, {
    successKey: 'channel.costs.saved',
  })
  const isChanged = JSON.stringify(list) !== JSON.stringify(initial)
  const isValid =
    isAmount(list.factor) &&
    (list.currency === null || isCurrency(list.currency)) &&
    list.prices.every(each => each.model !== '' && isAmount(each.input) && isAmount(each.output))
  return (
    <Stack spacing={2.5}>
      {costs.list === null && (
        <Alert severity="info" variant="outlined">
          {t(`channel.costs.byItself.${costs.default_base}`)}
        </Alert>
      )}
      <Box sx={{ display: 'grid', gap: 2, gridTemplateColumns: { xs: '1fr', sm: '2fr 1fr 1fr' } }}>
        <BaseField costs={costs} list={list} update={update} />
        <Amounts list={list} update={update} />
      </Box>
      <Box>
        <FormControlLabel
          control={<Switch checked={list.reported} onChange={reported => update({ reported })} />}
          label={t('channel.costs.reported')}
          sx={{ '& .MuiFormControlLabel-label': { fontSize: 13 } }}
        />
      </Box>
      <OwnPrices
        prices={list.prices}
        currency={list.currency ?? 'USD'}
        set={prices => update({ prices })}
      />
      <Stack direction="row" spacing={1}>
        <Button
          variant="contained"
          disabled={!isChanged || !isValid || save.isPending}
          onClick={() => void save({ id: channelId, list })}
        >
          {t('common.save')}
        </Button>
        {costs.list !== null && (
          <ConfirmButton
            color="inherit"
            title={t('channel.costs.remove')}
            text={t('channel.costs.removeText')}
            onConfirm={() => save({ id: channelId, list: null })}
          >
            {t('channel.costs.remove')}
          </ConfirmButton>
        )}
      </Stack>
      <UnsavedGuard when={isChanged && !save.isPending} />
    </Stack>
  )
}

const isCurrency = (text: string) => /^[A-Z]{3}$/.test(text)

type ListPartProps = { list: CostList; update: (part: Partial<CostList>) => void }

const bases = ['list', 'upstream', 'none'] as const

const BaseField = ({ costs, list, update }: ListPartProps & Pick<Props, 'costs'>) => {
  const t = useT()
  const { has_upstream, upstream_ratio } = costs
  const help =
    list.base === 'upstream' && upstream_ratio !== null
      ? t('channel.costs.ratio', { ratio: upstream_ratio })
      : t(`channel.costs.baseHelp.${list.base}`)
  return (
    <Field label={t('channel.costs.base')} help={help}>
      {({ id, describedBy }) => (
        <Select
          fullWidth
          value={list.base}
          inputProps={{ id, 'aria-describedby': describedBy }}
          onChange={({ target }) => update({ base: target.value as CostList['base'] })}
        >
          {bases
            .filter(each => each !== 'upstream' || has_upstream)
            .map(each => (
              <MenuItem key={each} value={each}>
                {t(`channel.costs.bases.${each}`)}
              </MenuItem>
            ))}
        </Select>
      )}
    </Field>
  )
}

const Amounts = ({ list, update }: ListPartProps) => {
  const t = useT()
  const isCurrencyWrong = list.currency !== null && !isCurrency(list.currency)
  const currencyError = isCurrencyWrong ? t('channel.costs.currencyInvalid') : undefined
  const factorError = isAmount(list.factor) ? undefined : t('channel.costs.amountInvalid')
  return (
    <>
      <Field
        label={t('channel.costs.factor')}
        help={t('channel.costs.factorHelp')}
        error={factorError}
      >
        {({ id, describedBy, invalid }) => (
          <OutlinedInput
            fullWidth
            id={id}
            value={list.factor}
            error={invalid}
            disabled={list.base === 'none'}
            inputProps={{ inputMode: 'decimal', 'aria-describedby': describedBy }}
            onChange={({ target }) => update({ factor: target.value.trim() })}
          />
        )}
      </Field>
      <Field
        label={t('channel.costs.currency')}
        help={t('channel.costs.currencyHelp')}
        error={currencyError}
      >
        {({ id, describedBy, invalid }) => (
          <OutlinedInput
            fullWidth
            id={id}
            value={list.currency ?? ''}
            error={invalid}
            placeholder="USD"
            inputProps={{ maxLength: 3, 'aria-describedby': describedBy, autoComplete: 'off' }}
            onChange={({ target }) => update({ currency: target.value.toUpperCase() || null })}
          />
        )}
      </Field>
    </>
  )
}
