import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import MenuItem from '@mui/material/MenuItem'
import OutlinedInput from '@mui/material/OutlinedInput'
import Select from '@mui/material/Select'
import { useEffect, useState } from 'react'
import { Field, useT } from '../../ui'
import { PeriodChoice } from './period-choice.tsx'
import { type AnalyticsScope, groups } from './use-scope.ts'

const toolbar = {
  ...{ display: 'flex', flexWrap: 'wrap', gap: 1.5, alignItems: 'end', mb: 2 },
  '& > a': { ml: { sm: 'auto' }, width: { xs: '100%', sm: 'auto' } },
}

/** Chooses the days, the series and the user of the figures below. */
export const Toolbar = ({ scope }: { scope: AnalyticsScope }) => {
  const t = useT()
  const { input, set } = scope
  const download = new URLSearchParams(
    Object.entries(input).map(([key, value]) => [key, String(value)]),
  )
  return (
    <Box sx={toolbar}>
      <PeriodChoice scope={scope} />
      <Box sx={{ flex: { xs: 2, sm: 'none' }, minWidth: { xs: 170, sm: 0 }, width: { sm: 220 } }}>
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
      </Box>
      <Box sx={{ flex: { xs: 1, sm: 'none' }, minWidth: { xs: 90, sm: 0 }, width: { sm: 110 } }}>
        <UserField value={input.user_id} set={user => set({ user })} />
      </Box>
      <Button
        variant="outlined"
        color="inherit"
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
