import CardsIcon from 'virtual:icons/grid-view'
import ListIcon from 'virtual:icons/list'
import SearchIcon from 'virtual:icons/search'
import type { AvailableModel, Group } from '@hub/contract'
import FormControlLabel from '@mui/material/FormControlLabel'
import InputAdornment from '@mui/material/InputAdornment'
import MenuItem from '@mui/material/MenuItem'
import OutlinedInput from '@mui/material/OutlinedInput'
import Select from '@mui/material/Select'
import Stack from '@mui/material/Stack'
import ToggleButton from '@mui/material/ToggleButton'
import ToggleButtonGroup from '@mui/material/ToggleButtonGroup'
import { Switch, useT } from '../../ui/index.ts'
import type { Layout, useModelFilters } from './use-model-filters.ts'

type FilterState = ReturnType<typeof useModelFilters>
type Props = {
  models: Record<string, AvailableModel>
  groups: Record<string, Group>
  filters: FilterState[0]
  set: FilterState[1]
}

/** The filters of the model list, and the choice of its layout. */
export const Filters = ({ models, groups, filters, set }: Props) => {
  const t = useT()
  const owners = [...new Set(Object.values(models).map(each => each.owned_by))]
    .filter(Boolean)
    .toSorted()
  const types = [...new Set(Object.values(models).map(each => each.price.type))]
  return (
    <Stack direction="row" sx={{ gap: 1, flexWrap: 'wrap', alignItems: 'center' }}>
      <OutlinedInput
        type="search"
        value={filters.keyword}
        placeholder={t('models.search')}
        startAdornment={
          <InputAdornment position="start">
            <SearchIcon fontSize="small" />
          </InputAdornment>
        }
        inputProps={{ 'aria-label': t('models.search'), 'data-filter': '' }}
        onChange={event => set({ keyword: event.target.value })}
        sx={{ flex: { xs: '1 1 100%', sm: '1 1 220px' }, maxWidth: { sm: 320 } }}
      />
      {owners.length > 1 && (
        <FilterSelect
          label={t('models.owner')}
          value={filters.owner}
          options={owners.map(each => [each, each])}
          set={owner => set({ owner })}
        />
      )}
      {types.length > 1 && (
        <FilterSelect
          label={t('models.type')}
          value={filters.type}
          options={types.map(each => [each, t(`prices.options.type.${each}`)])}
          set={type => set({ type })}
        />
      )}
      <GroupFilter {...{ groups, filters, set }} />
      <LayoutToggle layout={filters.layout} set={set} />
    </Stack>
  )
}

/** Selects the group whose prices are shown, and whether only its models are listed. */
const GroupFilter = ({ groups, filters, set }: Omit<Props, 'models'>) => {
  const t = useT()
  return (
    <>
      <Select
        size="small"
        value={filters.group in groups ? filters.group : ''}
        inputProps={{ 'aria-label': t('models.group') }}
        onChange={event => set({ group: event.target.value })}
      >
        {Object.values(groups).map(({ symbol, name, ratio }) => (
          <MenuItem key={symbol} value={symbol}>
            {t(ratio === 0 ? 'models.groupFree' : 'models.groupOf', { name, ratio })}
          </MenuItem>
        ))}
      </Select>
      {Object.keys(groups).length > 1 && (
        <FormControlLabel
          control={<Switch checked={filters.only} onChange={only => set({ only })} />}
          label={t('models.onlyGroup')}
          sx={{
            ml: 0.5,
            order: { xs: 1, sm: 0 },
            '& .MuiFormControlLabel-label': { fontSize: 13 },
          }}
        />
      )}
    </>
  )
}

const LayoutToggle = ({ layout, set }: Pick<Props, 'set'> & { layout: Layout }) => {
  const t = useT()
  return (
    <ToggleButtonGroup
      exclusive
      size="small"
      value={layout}
      aria-label={t('models.layout')}
      onChange={(_, next: Layout | null) => next && set({ layout: next })}
      sx={{ ml: 'auto', '& button': { height: 36 } }}
    >
      <ToggleButton value="cards" aria-label={t('models.cards')}>
        <CardsIcon fontSize="small" />
      </ToggleButton>
      <ToggleButton value="list" aria-label={t('models.list')}>
        <ListIcon fontSize="small" />
      </ToggleButton>
    </ToggleButtonGroup>
  )
}

type FilterSelectProps = {
  label: string
  value: string
  options: [value: string, label: string][]
  set: (value: string) => void
}

const FilterSelect = ({ label, value, options, set }: FilterSelectProps) => {
  const t = useT()
  return (
    <Select
      size="small"
      displayEmpty
      value={options.some(([each]) => each === value) ? value : ''}
      inputProps={{ 'aria-label': label }}
      renderValue={selected =>
        `${label}: ${options.find(([each]) => each === selected)?.[1] ?? t('models.all')}`
      }
      onChange={event => set(event.target.value)}
    >
      <MenuItem value="">{t('models.all')}</MenuItem>
      {options.map(([each, name]) => (
        <MenuItem key={each} value={each}>
          {name}
        </MenuItem>
      ))}
    </Select>
  )
}
