import SearchIcon from 'virtual:icons/search'
import InputAdornment from '@mui/material/InputAdornment'
import MenuItem from '@mui/material/MenuItem'
import OutlinedInput from '@mui/material/OutlinedInput'
import Select from '@mui/material/Select'
import { useId, useRef, useState } from 'react'
import { useT } from '../../../locales/use-t.ts'
import { Field } from '../../form/field.tsx'
import { TimeInput } from '../../form/time/input.tsx'
import type { ListControl } from '../state/list-state.ts'
import type { Filter } from '../types.ts'
import { Suggestions } from './suggestions.tsx'

/** Resolves the label of a filter; the keyword filter is called "Search". */
export const useFilterLabel = (resource: string) => {
  const t = useT()
  return ({ key, labelKey }: Filter) =>
    t(labelKey ?? (key === 'keyword' ? 'common.search' : `${resource}.fields.${key}`))
}

type ControlProps = {
  resource: string
  filter: Filter
  control: ListControl
  labelled?: boolean
  isFirst?: boolean
}

/** The input of one filter. */
export const FilterControl = ({
  resource,
  filter,
  control,
  labelled = false,
  isFirst = false,
}: ControlProps) => {
  const t = useT()
  const label = useFilterLabel(resource)(filter)
  const value = control.state.filters[filter.key] ?? ''
  const set = (next: string) => control.setFilter(filter.key, next)
  const input = (id?: string) => {
    const shared = { id, value, set, label }
    if (filter.kind === 'select')
      return (
        <SelectFilter {...shared} filter={filter} anyLabel={labelled ? t('common.any') : label} />
      )
    if (filter.kind === 'time')
      return (
        <TimeInput
          id={id ?? filter.key}
          {...(id === undefined && { label })}
          clearable
          value={Number(value) || undefined}
          set={at => set(at === undefined ? '' : String(at))}
        />
      )
    return (
      <TextFilter
        {...shared}
        isFirst={isFirst}
        numeric={filter.kind === 'number'}
        suggestions={filter.suggestions}
      />
    )
  }
  return labelled ? <Field label={label}>{({ id }) => input(id)}</Field> : input()
}

type InputProps = {
  id: string | undefined
  value: string
  set: (value: string) => void
  label: string
}

const SelectFilter = ({
  id,
  value,
  set,
  label,
  filter,
  anyLabel,
}: InputProps & { filter: Filter; anyLabel: string }) => (
  <Select
    displayEmpty
    fullWidth
    size="small"
    value={value}
    onChange={event => set(String(event.target.value))}
    inputProps={{ id, 'aria-label': label }}
  >
    <MenuItem value="">{anyLabel}</MenuItem>
    {filter.options?.map(each => (
      <MenuItem key={each.value} value={String(each.value)}>
        {each.label}
      </MenuItem>
    ))}
  </Select>
)

type TextProps = InputProps & {
  numeric: boolean
  isFirst: boolean
  suggestions: Filter['suggestions']
}

/** Applies the text 400 ms after the last key, or at once on Enter. */
const TextFilter = ({ id, value, set, label, numeric, isFirst, suggestions }: TextProps) => {
  const listId = useId()
  const [draft, setDraft] = useState<string | null>(null)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const commit = (text: string) => {
    clearTimeout(timer.current)
    if (text.trim() !== value) set(text.trim())
    setDraft(null)
  }
  return (
    <>
      <OutlinedInput
        fullWidth
        type={isFirst ? 'search' : 'text'}
        placeholder={isFirst ? label : ''}
        value={draft ?? value}
        startAdornment={
          isFirst && (
            <InputAdornment position="start">
              <SearchIcon fontSize="small" />
            </InputAdornment>
          )
        }
        inputProps={{
          id,
          'aria-label': label,
          'data-filter': isFirst ? '' : undefined,
          list: suggestions ? listId : undefined,
          inputMode: numeric ? 'numeric' : undefined,
        }}
        onChange={event => {
          const text = event.target.value
          setDraft(text)
          clearTimeout(timer.current)
          timer.current = setTimeout(() => commit(text), 400)
        }}
        onKeyDown={event => event.key === 'Enter' && commit(draft ?? value)}
        onBlur={() => draft !== null && commit(draft)}
      />
      {suggestions && <Suggestions id={listId} list={suggestions} text={draft ?? value} />}
    </>
  )
}
