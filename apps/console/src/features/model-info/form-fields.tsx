import { modalities } from '@hub/contract'
import Autocomplete from '@mui/material/Autocomplete'
import OutlinedInput from '@mui/material/OutlinedInput'
import TextField from '@mui/material/TextField'
import { useQuery } from '@tanstack/react-query'
import { type ComponentProps, useState } from 'react'
import { api, query } from '../../api/index.ts'
import { ModelName } from '../../domain/index.ts'
import { ModalityIcon, modalityLabel, parseList } from '../../domain/model-info/index.ts'
import { NamesField } from '../../ui/form/names-field.tsx'
import { type FieldOverride, useT } from '../../ui/index.ts'

/** The controls of both forms. Lists are edited as lists and sent as the texts of JSON arrays. */
export const useFormFields = () => {
  const t = useT()
  const { data: inUse = [] } = useQuery(query(api.prices.models))
  const { data: described = [] } = useQuery(query(api['model-info'].list))
  const names = new Set(described.map(each => each.model))
  const modalityField = listField(modalities, {
    Mark: ModalityIcon,
    labelOf: name => modalityLabel(t, name),
  })
  const fieldOverrides: Record<string, FieldOverride> = {
    model: modelField(inUse.filter(name => !names.has(name))),
    input_modalities: modalityField,
    output_modalities: modalityField,
    tags: listField([...new Set(described.flatMap(each => parseList(each.tags)))]),
    support_url: {
      render: ({ id, describedBy, error, value, set }) => (
        <LinesInput {...{ id, describedBy, set }} value={text(value)} invalid={Boolean(error)} />
      ),
    },
  }
  return { fieldOverrides }
}

const text = (value: unknown) => (typeof value === 'string' ? value : '')

type NameLook = Pick<ComponentProps<typeof NamesField>, 'Mark' | 'labelOf'>

const listField = (options: readonly string[], look: NameLook = {}): FieldOverride => ({
  render: ({ id, describedBy, error, label, value, set }) => (
    <NamesField
      {...{ id, describedBy, label, options }}
      {...look}
      invalid={Boolean(error)}
      value={parseList(text(value))}
      set={names => set(JSON.stringify(names))}
    />
  ),
})

/** A model may also be typed. A chosen one gives its name to an entry without a name. */
const modelField = (options: readonly string[]): FieldOverride => ({
  render: ({ id, describedBy, error, value, values, set, setField }) => (
    <Autocomplete
      id={id}
      freeSolo
      disableClearable
      size="small"
      options={options}
      inputValue={text(value)}
      value={text(value)}
      onInputChange={(_, typed) => set(typed)}
      onChange={(_, chosen) => {
        if (text(values.name).trim() === '') setField('name', chosen)
      }}
      renderOption={({ key, ...props }, name) => (
        <li key={key} {...props}>
          <ModelName name={name} />
        </li>
      )}
      renderInput={params => (
        <TextField
          {...params}
          error={Boolean(error)}
          slotProps={{
            ...params.slotProps,
            htmlInput: { ...params.slotProps.htmlInput, 'aria-describedby': describedBy },
          }}
        />
      )}
    />
  ),
})

type LinesProps = {
  id: string
  describedBy: string | undefined
  value: string
  set: (value: string) => void
  invalid: boolean
}

/** One address a line, because an address may contain a comma. */
const LinesInput = ({ id, describedBy, value, set, invalid }: LinesProps) => {
  const [typed, setTyped] = useState(() => parseList(value).join('\n'))
  const change = (next: string) => {
    setTyped(next)
    const lines = next.split('\n').map(line => line.trim())
    set(JSON.stringify(lines.filter(Boolean)))
  }
  return (
    <OutlinedInput
      id={id}
      fullWidth
      multiline
      minRows={2}
      maxRows={8}
      value={typed}
      error={invalid}
      placeholder="https://"
      aria-describedby={describedBy}
      onChange={event => change(event.target.value)}
    />
  )
}
