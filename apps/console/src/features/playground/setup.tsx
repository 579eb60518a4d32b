import Autocomplete, { type AutocompleteRenderInputParams } from '@mui/material/Autocomplete'
import Box from '@mui/material/Box'
import FormControlLabel from '@mui/material/FormControlLabel'
import InputAdornment from '@mui/material/InputAdornment'
import MenuItem from '@mui/material/MenuItem'
import Select from '@mui/material/Select'
import Skeleton from '@mui/material/Skeleton'
import TextField from '@mui/material/TextField'
import useMediaQuery from '@mui/material/useMediaQuery'
import { lazy, Suspense, useState } from 'react'
import { ModelMark, ModelName } from '../../domain/index.ts'
import { Card, Field, Switch, useT } from '../../ui/index.ts'
import { ownTokenId, type SetSettings, type Settings, type SettingsErrors } from './settings.ts'

const Parameters = lazy(async () => ({ default: (await import('./parameters.tsx')).Parameters }))

type SetupProps = {
  isLoading: boolean
  usable: readonly { id: number; name: string }[]
  names: readonly string[]
  tokenId: number
  model: string
  secondModel: string | undefined
  settings: Settings
  errors: SettingsErrors
  set: SetSettings
}

/** Chooses the token, the models and the parameters of the next question. */
export const Setup = ({ usable, tokenId, settings, errors, set, ...models }: SetupProps) => {
  const t = useT()
  const { isLoading, names, model, secondModel } = models
  const picker = { isLoading, names }
  return (
    <Card>
      <Box
        sx={{
          display: 'grid',
          gap: 2,
          gridTemplateColumns: { xs: '1fr', sm: '1fr 1fr', md: '1fr' },
        }}
      >
        {/* On tablets two models stand side by side, below the token. */}
        <Box sx={secondModel === undefined ? null : { gridColumn: '1 / -1' }}>
          <TokenField {...{ usable, tokenId, set }} />
        </Box>
        <ModelPicker
          {...picker}
          label={t('playground.model')}
          value={model}
          set={next => set({ model: next })}
        />
        {secondModel !== undefined && (
          <ModelPicker
            {...picker}
            label={t('playground.secondModel')}
            value={secondModel}
            set={next => set({ secondModel: next })}
          />
        )}
      </Box>
      <FormControlLabel
        sx={{ mt: 1, ml: -0.5 }}
        label={t('playground.compare')}
        slotProps={{ typography: { variant: 'body2' } }}
        control={
          <Switch
            checked={secondModel !== undefined}
            onChange={on =>
              set({ secondModel: on ? (names.find(name => name !== model) ?? model) : undefined })
            }
          />
        }
      />
      <More {...{ settings, errors, set }} />
    </Card>
  )
}

const TokenField = ({ usable, tokenId, set }: Pick<SetupProps, 'usable' | 'tokenId' | 'set'>) => {
  const t = useT()
  return (
    <Field label={t('playground.token')}>
      {({ id }) => (
        <Select
          id={id}
          labelId={`${id}-label`}
          fullWidth
          value={tokenId}
          onChange={event => set({ tokenId: Number(event.target.value) })}
        >
          {usable.map(each => (
            <MenuItem key={each.id} value={each.id}>
              {each.id === ownTokenId ? t('playground.ownToken') : each.name}
            </MenuItem>
          ))}
        </Select>
      )}
    </Field>
  )
}

type MoreProps = Pick<SetupProps, 'settings' | 'errors' | 'set'>

/** Everything that has a default. It stands open where there is room, and where a field has an error. */
const More = ({ settings, errors, set }: MoreProps) => {
  const t = useT()
  const isWide = useMediaQuery('(min-width: 900px)', { noSsr: true })
  const [isOpen, setOpen] = useState(isWide || Object.keys(errors).length > 0)
  return (
    <Box
      component="details"
      open={isOpen}
      onToggle={event => setOpen((event.currentTarget as HTMLDetailsElement).open)}
      sx={{ mt: 1.5 }}
    >
      <Box component="summary" sx={{ cursor: 'pointer', fontSize: 13, fontWeight: 500, mb: 1 }}>
        {t('playground.parameters')}
      </Box>
      {isOpen && (
        <Suspense fallback={<Skeleton variant="rounded" height={420} />}>
          <Parameters {...{ settings, errors, set }} />
        </Suspense>
      )}
    </Box>
  )
}

type PickerProps = Pick<SetupProps, 'isLoading' | 'names'> & {
  label: string
  value: string
  set: (name: string) => void
}

const ModelPicker = ({ label, isLoading, names, value, set }: PickerProps) => (
  <Field label={label}>
    {({ id }) => (
      <Autocomplete
        id={id}
        size="small"
        disableClearable
        disabled={isLoading}
        options={names}
        value={value}
        onChange={(_, next) => set(next)}
        renderOption={({ key, ...props }, name) => (
          <li key={key} {...props}>
            <ModelName name={name} />
          </li>
        )}
        renderInput={params => <ModelInput {...params} model={value} />}
      />
    )}
  </Field>
)

/** The field of the model, with the mark of the chosen one. */
const ModelInput = ({ model, ...params }: AutocompleteRenderInputParams & { model: string }) => (
  <TextField
    {...params}
    slotProps={{
      ...params.slotProps,
      input: {
        ...params.slotProps.input,
        startAdornment: (
          <InputAdornment position="start" sx={{ color: 'text.primary', ml: 0.5, mr: 0.25 }}>
            <ModelMark name={model} />
          </InputAdornment>
        ),
      },
    }}
  />
)
