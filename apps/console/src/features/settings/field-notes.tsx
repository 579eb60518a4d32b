import { isSwitch, isSwitchedOn, missingSettings, switchNeeds } from '@hub/contract'
import Box from '@mui/material/Box'
import FormHelperText from '@mui/material/FormHelperText'
import Tooltip from '@mui/material/Tooltip'
import { AddressNeeded, isReachable } from '../../domain/site/address-needed.tsx'
import { useT } from '../../ui/index.ts'
import { defaultTextOf, type FieldKey, type SettingValues } from './values.ts'

type Props = {
  name: FieldKey
  /** The values of the form, which saves switches last. */
  values: SettingValues
  set: (name: FieldKey, value: string) => void
}

/** Names the address of the site and other settings that a switch still needs. */
export const SwitchNote = ({ name, values, set }: Props) => {
  const t = useT()
  if (!isSwitch(name)) return null
  const isOn = isSwitchedOn(values[name])
  const address = String(values.ServerAddress ?? '')
  const isTrial = values.LocalTrialEnabled === true
  const needsAddress =
    switchNeeds[name].address &&
    (isOn || typeof values[name] === 'boolean') &&
    !isReachable({ address, isTrial })
  const missing = isOn ? missingSettings(name, key => values[key]) : []
  return (
    <>
      {needsAddress && (
        <AddressNeeded address={address} use={origin => set('ServerAddress', origin)} />
      )}
      {missing.length > 0 && (
        <FormHelperText role="note" sx={{ color: 'warning.main' }}>
          {t('settings.needs', {
            names: missing.map(key => t(`settings.fields.${key}`)).join(', '),
          })}
        </FormHelperText>
      )}
    </>
  )
}

/** Marks a setting whose stored value is not its default, and shows the default on hover. */
export const NotDefault = ({ name }: { name: FieldKey }) => {
  const t = useT()
  const text = defaultTextOf(name)
  const shown = text === '' ? t('settings.empty') : text.slice(0, 200)
  return (
    <Tooltip title={t('settings.default', { value: shown })}>
      <Box
        component="span"
        sx={{
          ...{ ml: 1, px: 0.75, borderRadius: '6px', border: '1px solid', borderColor: 'divider' },
          ...{ fontSize: 11, fontWeight: 400, color: 'text.secondary', whiteSpace: 'nowrap' },
        }}
      >
        {t('settings.notDefault')}
      </Box>
    </Tooltip>
  )
}
