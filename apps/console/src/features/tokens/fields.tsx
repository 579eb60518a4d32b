import type { TokenSetting } from '@hub/contract'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import FormControlLabel from '@mui/material/FormControlLabel'
import FormHelperText from '@mui/material/FormHelperText'
import MenuItem from '@mui/material/MenuItem'
import OutlinedInput from '@mui/material/OutlinedInput'
import Stack from '@mui/material/Stack'
import TextField from '@mui/material/TextField'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api, query } from '../../api/index.ts'
import { ModelMark } from '../../domain/index.ts'
import { splitNames } from '../../ui/form/names.ts'
import { NamesField } from '../../ui/form/names-field.tsx'
import { TimeInput } from '../../ui/form/time/input.tsx'
import { Switch, useT } from '../../ui/index.ts'

type ExpiryProps = { id: string; value: number; set: (seconds: number) => void; invalid: boolean }

const expiryPresets: [days: number, key: string][] = [
  [1, 'tokens.expiry.day'],
  [30, 'tokens.expiry.month'],
  [365, 'tokens.expiry.year'],
]

/** The minute that is `days` times 24 hours from now. */
const afterDays = (days: number) => Math.floor(Date.now() / 60_000) * 60 + days * 86_400

/** The expiry of a token in seconds since 1970; -1 is never. */
export const ExpiryField = ({ id, value, set, invalid }: ExpiryProps) => {
  const t = useT()
  const never = value === -1
  return (
    <Stack spacing={1}>
      <FormControlLabel
        control={<Switch checked={never} onChange={on => set(on ? -1 : afterDays(30))} />}
        label={t('tokens.expiry.never')}
        sx={{ ml: -0.5 }}
      />
      {!never && (
        <Stack direction="row" sx={{ flexWrap: 'wrap', gap: 1 }}>
          <Box sx={{ flex: '1 1 220px' }}>
            <TimeInput
              id={id}
              value={value}
              set={at => at !== undefined && set(at)}
              invalid={invalid}
            />
          </Box>
          {expiryPresets.map(([days, key]) => (
            <QuickChoice key={key} label={t(key)} choose={() => set(afterDays(days))} />
          ))}
        </Stack>
      )}
    </Stack>
  )
}

const QuickChoice = ({ label, choose }: { label: string; choose: () => void }) => (
  <Button color="inherit" variant="outlined" sx={{ borderColor: 'divider' }} onClick={choose}>
    {label}
  </Button>
)

type LimitsProps = {
  id: string
  value: TokenSetting
  set: (value: TokenSetting) => void
  models: readonly string[]
  error: string | undefined
}

/** Restricts models and IP addresses. Switching a restriction off clears its list, so that no hidden values remain. */
export const LimitsField = ({ id, value, set, models, error }: LimitsProps) => {
  const t = useT()
  const { limit_model_setting: byModel, limits_ip_setting: byAddress } = value.limits
  const change = (limits: Partial<TokenSetting['limits']>) =>
    set({ ...value, limits: { ...value.limits, ...limits } })
  return (
    <Stack spacing={1}>
      <FormControlLabel
        sx={{ ml: -0.5 }}
        label={t('tokens.limits.models')}
        control={
          <Switch
            id={id}
            checked={byModel.enabled}
            onChange={enabled => change({ limit_model_setting: { enabled, models: [] } })}
          />
        }
      />
      {byModel.enabled && (
        <NamesField
          id={`${id}-models`}
          label={t('tokens.limits.modelsLabel')}
          placeholder={t('tokens.limits.modelsPlaceholder')}
          Mark={ModelMark}
          options={models}
          value={byModel.models}
          set={names => change({ limit_model_setting: { enabled: true, models: names } })}
        />
      )}
      <FormControlLabel
        sx={{ ml: -0.5 }}
        label={t('tokens.limits.addresses')}
        control={
          <Switch
            checked={byAddress.enabled}
            onChange={enabled => change({ limits_ip_setting: { enabled, whitelist: [] } })}
          />
        }
      />
      {byAddress.enabled && (
        <AddressList
          id={`${id}-addresses`}
          value={byAddress.whitelist}
          invalid={Boolean(error)}
          set={whitelist => change({ limits_ip_setting: { enabled: true, whitelist } })}
        />
      )}
    </Stack>
  )
}

type HeartbeatProps = {
  id: string
  value: TokenSetting
  set: (value: TokenSetting) => void
  error: string | undefined
}

/** Pings callers while no answer has begun. */
export const HeartbeatField = ({ id, value, set, error }: HeartbeatProps) => {
  const t = useT()
  const { enabled, timeout_seconds } = value.heartbeat
  const change = (heartbeat: Partial<TokenSetting['heartbeat']>) =>
    set({ ...value, heartbeat: { ...value.heartbeat, ...heartbeat } })
  return (
    <Box>
      <FormControlLabel
        sx={{ ml: 0 }}
        label={t('tokens.heartbeat.enabled')}
        control={
          <Switch
            checked={enabled}
            aria-describedby={`${id}-heartbeat`}
            onChange={next => change({ enabled: next, timeout_seconds: 30 })}
          />
        }
      />
      <FormHelperText id={`${id}-heartbeat`} sx={{ mt: 0 }}>
        {t('tokens.heartbeat.help')}
      </FormHelperText>
      {enabled && (
        <OutlinedInput
          type="number"
          value={timeout_seconds}
          error={Boolean(error)}
          inputProps={{ min: 30, max: 90, 'aria-label': t('tokens.heartbeat.seconds') }}
          onChange={event => change({ timeout_seconds: Number(event.target.value) })}
          endAdornment={
            <Box sx={{ color: 'text.secondary', fontSize: 13, whiteSpace: 'nowrap' }}>
              {t('tokens.heartbeat.seconds')}
            </Box>
          }
          sx={{ mt: 1 }}
        />
      )}
    </Box>
  )
}

type BillingTagProps = {
  id: string
  value: TokenSetting
  set: (value: TokenSetting) => void
}

/** The group that charges are counted for. Only administrators are shown it. */
export const BillingTagField = ({ id, value, set }: BillingTagProps) => {
  const t = useT()
  const { data: symbols = [] } = useQuery(query(api.groups.symbols))
  const tag = value.billing_tag ?? ''
  // A tag of a group that was disabled since stays selectable.
  const options = tag && !symbols.includes(tag) ? [...symbols, tag] : symbols
  return (
    <TextField
      select
      id={`${id}-billing-tag`}
      label={t('tokens.billingTag.label')}
      helperText={t('tokens.billingTag.help')}
      value={tag}
      onChange={event => set({ ...value, billing_tag: event.target.value || null })}
      slotProps={{ select: { displayEmpty: true }, inputLabel: { shrink: true } }}
    >
      <MenuItem value="">{t('tokens.billingTag.none')}</MenuItem>
      {options.map(symbol => (
        <MenuItem key={symbol} value={symbol}>
          {symbol}
        </MenuItem>
      ))}
    </TextField>
  )
}

type AddressProps = {
  id: string
  value: readonly string[]
  set: (value: string[]) => void
  invalid: boolean
}

const AddressList = ({ id, value, set, invalid }: AddressProps) => {
  const t = useT()
  const [text, setText] = useState(value.join('\n'))
  return (
    <OutlinedInput
      id={id}
      multiline
      minRows={3}
      maxRows={8}
      value={text}
      error={invalid}
      placeholder={'203.0.113.7\n10.0.0.0/8'}
      inputProps={{ 'aria-label': t('tokens.limits.addressesLabel') }}
      onChange={event => {
        setText(event.target.value)
        set(splitNames(event.target.value))
      }}
    />
  )
}
