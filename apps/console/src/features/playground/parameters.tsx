import Box from '@mui/material/Box'
import MenuItem from '@mui/material/MenuItem'
import OutlinedInput from '@mui/material/OutlinedInput'
import Select from '@mui/material/Select'
import Stack from '@mui/material/Stack'
import {
  defaultMaxTokens,
  dialectIds,
  dialectNames,
  effortsOf,
  temperatureMax,
} from '../../domain/calls/index.ts'
import { Field, mono, useT } from '../../ui'
import type { SetSettings, Settings, SettingsErrors, SettingsField } from './settings.ts'

type Props = { settings: Settings; errors: SettingsErrors; set: SetSettings }

export const Parameters = ({ settings, errors, set }: Props) => {
  const t = useT()
  const { dialect } = settings
  const errorAt = (field: SettingsField) => {
    const error = errors[field]
    return error && t(error.key, error.values)
  }
  const number = (field: 'temperature' | 'topP' | 'maxTokens', placeholder: string) => (
    <Field label={t(`playground.${field}`)} error={errorAt(field)}>
      {({ id, describedBy, invalid }) => (
        <OutlinedInput
          fullWidth
          id={id}
          error={invalid}
          value={settings[field]}
          placeholder={placeholder}
          inputProps={{ inputMode: 'decimal', 'aria-describedby': describedBy }}
          onChange={event => set({ [field]: event.target.value })}
        />
      )}
    </Field>
  )
  return (
    <Stack spacing={2}>
      <DialectField {...{ settings, set }} />
      <Box sx={{ display: 'grid', gridTemplateColumns: '1fr 1fr', gap: 2, alignItems: 'start' }}>
        {number('temperature', `0 – ${temperatureMax(dialect)}`)}
        {number('topP', '0 – 1')}
        {number('maxTokens', String(defaultMaxTokens[dialect] ?? t('playground.unset')))}
        <EffortField {...{ settings, set }} />
      </Box>
      <Field label={t('playground.system')} help={t('playground.systemHelp')}>
        {({ id, describedBy }) => (
          <OutlinedInput
            fullWidth
            multiline
            minRows={2}
            maxRows={8}
            id={id}
            value={settings.system}
            inputProps={{ 'aria-describedby': describedBy }}
            onChange={event => set({ system: event.target.value })}
          />
        )}
      </Field>
      <Field
        label={t('playground.tools')}
        help={t('playground.toolsHelp')}
        error={errorAt('tools')}
      >
        {({ id, describedBy, invalid }) => (
          <OutlinedInput
            fullWidth
            multiline
            minRows={2}
            maxRows={12}
            id={id}
            error={invalid}
            value={settings.tools}
            placeholder={'[{"name": "get_weather", "parameters": {…}}]'}
            inputProps={{
              'aria-describedby': describedBy,
              spellCheck: false,
              style: { fontFamily: mono, fontSize: 12 },
            }}
            onChange={event => set({ tools: event.target.value })}
          />
        )}
      </Field>
    </Stack>
  )
}

const DialectField = ({ settings, set }: Omit<Props, 'errors'>) => {
  const t = useT()
  return (
    <Field label={t('playground.dialect')} help={t('playground.dialectHelp')}>
      {({ id, describedBy }) => (
        <Select
          id={id}
          labelId={`${id}-label`}
          fullWidth
          value={settings.dialect}
          inputProps={{ 'aria-describedby': describedBy }}
          onChange={({ target: { value: dialect } }) =>
            set({
              dialect,
              effort: effortsOf[dialect].includes(settings.effort) ? settings.effort : '',
            })
          }
        >
          {dialectIds.map(each => (
            <MenuItem key={each} value={each}>
              {dialectNames[each]}
            </MenuItem>
          ))}
        </Select>
      )}
    </Field>
  )
}

const EffortField = ({ settings, set }: Omit<Props, 'errors'>) => {
  const t = useT()
  return (
    <Field label={t('playground.effort')}>
      {({ id }) => (
        <Select
          id={id}
          labelId={`${id}-label`}
          fullWidth
          displayEmpty
          value={settings.effort}
          onChange={event => set({ effort: event.target.value })}
        >
          <MenuItem value="">{t('playground.unset')}</MenuItem>
          {effortsOf[settings.dialect].map(each => (
            <MenuItem key={each} value={each}>
              {each}
            </MenuItem>
          ))}
        </Select>
      )}
    </Field>
  )
}
