import Autocomplete from '@mui/material/Autocomplete'
import Chip from '@mui/material/Chip'
import TextField from '@mui/material/TextField'
import { type ComponentType, useState } from 'react'
import { useT } from '../../locales/use-t.ts'
import { splitNames } from './names.ts'

type Props = {
  id: string
  value: readonly string[]
  set: (names: string[]) => void
  options?: readonly string[]
  label: string
  describedBy?: string | undefined
  invalid?: boolean
  placeholder?: string
  disabled?: boolean
  /** Only names from `options` are accepted. */
  closed?: boolean
  /** The text that stands for a name. */
  labelOf?: (name: string) => string
  /** The mark before each name. */
  Mark?: ComponentType<{ name: string; size?: number }>
}

/** An input for several names, which can be selected, typed or pasted as a list. */
export const NamesField = ({
  id,
  value,
  set,
  options = [],
  label,
  describedBy,
  invalid = false,
  placeholder = '',
  disabled = false,
  closed = false,
  labelOf = name => name,
  Mark,
}: Props) => {
  const t = useT()
  const [typed, setTyped] = useState('')
  const add = (text: string) => {
    const names = splitNames(text).filter(name => !closed || options.includes(name))
    set([...new Set([...value, ...names])])
    setTyped('')
  }
  return (
    <Autocomplete
      id={id}
      multiple
      freeSolo={!closed}
      disableCloseOnSelect
      filterSelectedOptions
      disabled={disabled}
      size="small"
      options={[...options]}
      getOptionLabel={labelOf}
      value={[...value]}
      inputValue={typed}
      noOptionsText={t('common.noMatch')}
      clearText={t('common.clear')}
      openText={t('common.show')}
      closeText={t('common.close')}
      onInputChange={(_, text) => (/[,，;；\n\t]/.test(text) ? add(text) : setTyped(text))}
      onChange={(_, names) => {
        set([...new Set(names.flatMap(splitNames))])
        setTyped('')
      }}
      onBlur={() => typed.trim() !== '' && !closed && add(typed)}
      renderValue={(names, itemProps) =>
        names.map((name, index) => {
          const { key, ...item } = itemProps({ index })
          const icon = Mark && { icon: <Mark name={name} size={14} /> }
          return <Chip key={key} size="small" label={labelOf(name)} {...icon} {...item} />
        })
      }
      renderInput={params => (
        <TextField
          {...params}
          error={invalid}
          placeholder={value.length === 0 ? placeholder : ''}
          slotProps={{
            ...params.slotProps,
            htmlInput: {
              ...params.slotProps.htmlInput,
              'aria-label': label,
              'aria-describedby': describedBy,
              // A single-line input would join the lines of a pasted list.
              onPaste: (event: React.ClipboardEvent) => {
                const text = event.clipboardData.getData('text')
                if (splitNames(text).length < 2) return
                event.preventDefault()
                add(text)
              },
            },
          }}
          sx={{ '& .MuiOutlinedInput-root': { maxHeight: 220, overflowY: 'auto', py: 0.5 } }}
        />
      )}
    />
  )
}
