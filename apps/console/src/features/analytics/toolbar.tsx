import DownloadIcon from '@mui/icons-material/FileDownloadOutlined'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import MenuItem from '@mui/material/MenuItem'
import OutlinedInput from '@mui/material/OutlinedInput'
import Select from '@mui/material/Select'
import ToggleButton from '@mui/material/ToggleButton'
import ToggleButtonGroup from '@mui/material/ToggleButtonGroup'
import { useEffect, useState } from 'react'
import { Field, useT } from '../../ui'
import { TimeInput } from '../../ui/form/time/input.tsx'
import { type AnalyticsScope, groups, type PeriodName, periods } from './use-scope.ts'

const columns = {
  display: 'grid',
  gap: 1.5,
  alignItems: 'end',
  gridTemplateColumns: {
    xs: 'repeat(2, minmax(0, 1fr))',
    lg: 'auto repeat(2, minmax(0, 1fr)) minmax(0, 1fr) 110px auto',
  },
  // A time needs the whole width of a phone.
  '& > :first-of-type, & > a': { gridColumn: { xs: '1 / -1', lg: 'auto' } },
  '& > :nth-of-type(2), & > :nth-of-type(3)': { gridColumn: { xs: '1 / -1', sm: 'auto' } },
  mb: 2,
} as const

/** Chooses the days, the series and the user of the figures below. */
export const Toolbar = ({ scope }: { scope: AnalyticsScope }) => {
  const t = useT()
  const { period, input, set } = scope
  const download = new URLSearchParams(
    Object.entries(input).map(([key, value]) => [key, String(value)]),
  )
  return (
    <Box sx={columns}>
      <ToggleButtonGroup
        exclusive
        size="small"
        value={period ?? null}
        onChange={(_, next: PeriodName | null) => next && set({ period: next, start: '', end: '' })}
        aria-label={t('analytics.period')}
        sx={{ '& .MuiToggleButton-root': { px: 2, flex: { xs: 1, lg: 'none' }, height: 40 } }}
      >
        {(Object.keys(periods) as PeriodName[]).map(each => (
          <ToggleButton key={each} value={each}>
            {t(`analytics.periods.${each}`)}
          </ToggleButton>
        ))}
      </ToggleButtonGroup>
      <Field label={t('analytics.from')}>
        {({ id }) => (
          <TimeInput
            id={id}
            value={input.start_timestamp}
            set={at => set({ start: at ? String(at) : '', end: String(input.end_timestamp) })}
          />
        )}
      </Field>
      <Field label={t('analytics.to')}>
        {({ id }) => (
          <TimeInput
            id={id}
            value={input.end_timestamp}
            set={at => set({ start: String(input.start_timestamp), end: at ? String(at) : '' })}
          />
        )}
      </Field>
      <Field label={t('analytics.by')}>
        {({ id }) => (
          <Select
            fullWidth
            id={id}
            labelId={`${id}-label`}
            value={input.group_type}
            onChange={event => set({ by: event.target.value })}
          >
            {groups.map(each => (
              <MenuItem key={each} value={each}>
                {t(`analytics.groups.${each}`)}
              </MenuItem>
            ))}
          </Select>
        )}
      </Field>
      <UserField value={input.user_id} set={user => set({ user })} />
      <Button
        variant="outlined"
        color="inherit"
        startIcon={<DownloadIcon />}
        href={`/api/analytics/period/export?${download}`}
        download
        sx={{ height: 40, borderColor: 'divider' }}
      >
        CSV
      </Button>
    </Box>
  )
}

/** The figures follow when the field is left or Enter is pressed, not at each digit. */
const UserField = ({ value, set }: { value: number; set: (user: string) => void }) => {
  const t = useT()
  const [text, setText] = useState(value ? String(value) : '')
  useEffect(() => setText(value ? String(value) : ''), [value])
  const apply = () => set(/^[1-9]\d{0,14}$/.test(text.trim()) ? text.trim() : '')
  return (
    <Field label={t('analytics.user')}>
      {({ id }) => (
        <OutlinedInput
          id={id}
          fullWidth
          value={text}
          placeholder={t('analytics.all')}
          inputProps={{ inputMode: 'numeric' }}
          onChange={({ target }) => setText(target.value)}
          onBlur={apply}
          onKeyDown={({ key }) => key === 'Enter' && apply()}
        />
      )}
    </Field>
  )
}
