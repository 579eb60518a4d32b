import Box from '@mui/material/Box'
import FormControlLabel from '@mui/material/FormControlLabel'
import MenuItem from '@mui/material/MenuItem'
import OutlinedInput from '@mui/material/OutlinedInput'
import Select from '@mui/material/Select'
import Stack from '@mui/material/Stack'
import Typography from '@mui/material/Typography'
import { useOptionalT } from '../../../locales/use-t.ts'
import { Field, Switch, useT } from '../../../ui/index.ts'
import { type Account, GroupField } from '../upstream/group-field.tsx'
import { type PluginForm, type PluginOption, pluginFormsOf } from './plugin-options.ts'

type Value = Record<string, Record<string, unknown>>
type Props = {
  schema: Record<string, unknown>
  value: Value
  set: (value: Value) => void
  account: Account
}

/** The plugin options that the provider declares in its JSON Schema. */
export const PluginField = ({ schema, value, set, account }: Props) => {
  const t = useT()
  const optionalT = useOptionalT()
  const plugins = pluginFormsOf(schema, key => optionalT(`channel-plugins.${key}`))
  if (plugins.length === 0)
    return (
      <Typography variant="body2" sx={{ color: 'text.secondary' }}>
        {t('channels.plugin.none')}
      </Typography>
    )
  const setOption = (plugin: string, key: string, next: unknown) =>
    set({ ...value, [plugin]: { ...value[plugin], [key]: next } })
  return (
    <Stack spacing={2}>
      {plugins.map(plugin => (
        <PluginCard
          key={plugin.id}
          plugin={plugin}
          value={value[plugin.id] ?? {}}
          account={account}
          setOption={(key, next) => setOption(plugin.id, key, next)}
        />
      ))}
    </Stack>
  )
}

type CardProps = {
  plugin: PluginForm
  value: Record<string, unknown>
  account: Account
  setOption: (key: string, value: unknown) => void
}

const PluginCard = ({ plugin, value, account, setOption }: CardProps) => (
  <Box sx={{ border: '1px solid', borderColor: 'divider', borderRadius: '8px', p: 1.5 }}>
    <Typography variant="body2" sx={{ fontWeight: 500 }}>
      {plugin.title}
    </Typography>
    {plugin.description && (
      <Typography variant="caption" component="p" sx={{ color: 'text.secondary' }}>
        {plugin.description}
      </Typography>
    )}
    <Stack spacing={1.5} sx={{ mt: 1 }}>
      {plugin.options.map(option => {
        const { key, title, description } = option
        const given = value[key] ?? option.initial
        const set = (next: unknown) => setOption(key, next)
        return plugin.id === 'upstream' && key === 'group' ? (
          <GroupField
            key={key}
            {...{ title, set, account }}
            help={description}
            value={String(given ?? '')}
          />
        ) : (
          <OptionControl key={key} {...{ option, set }} value={given} />
        )
      })}
    </Stack>
  </Box>
)

type OptionProps = { option: PluginOption; value: unknown; set: (value: unknown) => void }

const OptionControl = ({ option, value, set }: OptionProps) => {
  if (option.kind === 'boolean')
    return (
      <FormControlLabel
        control={<Switch checked={value === true} onChange={set} />}
        label={option.title}
        sx={{ '& .MuiFormControlLabel-label': { fontSize: 13 } }}
      />
    )
  return (
    <Field label={option.title} help={option.description}>
      {({ id, describedBy }) =>
        option.choices ? (
          <Select
            id={id}
            labelId={`${id}-label`}
            fullWidth
            displayEmpty
            value={String(value ?? '')}
            onChange={event => set(event.target.value)}
          >
            {option.initial === undefined && <MenuItem value="">–</MenuItem>}
            {option.choices.map(({ value: choice, label }) => (
              <MenuItem key={choice} value={choice}>
                {label}
              </MenuItem>
            ))}
          </Select>
        ) : (
          <OutlinedInput
            id={id}
            fullWidth
            type={option.kind === 'number' ? 'number' : 'text'}
            multiline={option.multiline}
            minRows={option.multiline ? 3 : undefined}
            maxRows={option.multiline ? 12 : undefined}
            value={value === undefined ? '' : String(value)}
            inputProps={{ 'aria-describedby': describedBy }}
            onChange={event => set(read(option, event.target.value))}
          />
        )
      }
    </Field>
  )
}

const read = (option: PluginOption, text: string): unknown =>
  option.kind === 'number' && text !== '' ? Number(text) : text
