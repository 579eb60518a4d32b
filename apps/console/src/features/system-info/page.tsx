import type { SystemLogLine } from '@hub/contract'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import FormControlLabel from '@mui/material/FormControlLabel'
import MenuItem from '@mui/material/MenuItem'
import Stack from '@mui/material/Stack'
import TextField from '@mui/material/TextField'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { api, query } from '../../api/index.ts'
import { EmptyState, ErrorState, formatTime, mono, Page, Switch, useT } from '../../ui/index.ts'
import { Backups } from './backups.tsx'
import { Jobs } from './jobs.tsx'
import { Nodes } from './nodes.tsx'

const intervals = [1, 3, 5, 10, 30, 60]
const counts = [50, 100, 200, 500]
const colours: Record<SystemLogLine['Level'], string> = {
  FATAL: 'error.main',
  ERR: 'error.main',
  WARN: 'warning.main',
  INFO: 'primary.main',
  DEBUG: 'success.main',
}

const matches = ({ Message, Level, Timestamp }: SystemLogLine, text: string) =>
  `${Timestamp} ${Level} ${Message}`.toLowerCase().includes(text.trim().toLowerCase())

/** The newest lines of the log of the node that answers. */
export const SystemInfoPage = () => {
  const t = useT()
  const [isAutomatic, setAutomatic] = useState(false)
  const [seconds, setSeconds] = useState(5)
  const [count, setCount] = useState(50)
  const [text, setText] = useState('')
  const { data, error, refetch, isFetching } = useQuery({
    ...query(api['system-info'].log, { count }),
    refetchInterval: isAutomatic ? seconds * 1_000 : false,
  })
  const lines = (data ?? []).filter(line => matches(line, text))
  return (
    <Page title={t('system-info.title')} intro={t('system-info.intro')}>
      <Stack spacing={2}>
        <Stack direction="row" sx={{ flexWrap: 'wrap', gap: 1.5, alignItems: 'center' }}>
          <TextField
            size="small"
            type="search"
            label={t('system-info.search')}
            value={text}
            onChange={event => setText(event.target.value)}
            sx={{ flex: '1 1 200px' }}
          />
          <Choice label={t('system-info.count')} value={count} values={counts} set={setCount} />
          <Choice
            label={t('system-info.interval')}
            value={seconds}
            values={intervals}
            set={setSeconds}
          />
          <FormControlLabel
            control={<Switch checked={isAutomatic} onChange={setAutomatic} />}
            label={t('system-info.automatic')}
          />
          <Button variant="outlined" loading={isFetching} onClick={() => void refetch()}>
            {t('system-info.refresh')}
          </Button>
        </Stack>
        {error && <ErrorState error={error} retry={() => void refetch()} />}
        {data && lines.length === 0 && (
          <EmptyState title={t(data.length === 0 ? 'system-info.empty' : 'system-info.noMatch')} />
        )}
        {lines.length > 0 && <Lines lines={lines} follows={isAutomatic} />}
        <Nodes />
        <Backups />
        <Jobs />
      </Stack>
    </Page>
  )
}

type ChoiceProps = {
  label: string
  value: number
  values: readonly number[]
  set: (value: number) => void
}

const Choice = ({ label, value, values, set }: ChoiceProps) => (
  <TextField
    select
    size="small"
    label={label}
    value={value}
    onChange={event => set(Number(event.target.value))}
    sx={{ minWidth: 130 }}
  >
    {values.map(each => (
      <MenuItem key={each} value={each}>
        {each}
      </MenuItem>
    ))}
  </TextField>
)

const Lines = ({ lines, follows }: { lines: readonly SystemLogLine[]; follows: boolean }) => {
  const t = useT()
  const box = useRef<HTMLElement>(null)
  const last = lines.at(-1)?.Timestamp
  useEffect(() => {
    if (follows && last && box.current) box.current.scrollTop = box.current.scrollHeight
  }, [follows, last])
  return (
    <Box
      ref={box}
      role="log"
      aria-label={t('system-info.title')}
      tabIndex={0}
      sx={{
        height: 450,
        overflowY: 'auto',
        p: 1.5,
        fontFamily: mono,
        fontSize: 12,
        borderRadius: '8px',
        border: '1px solid',
        borderColor: 'divider',
        bgcolor: 'background.paper',
      }}
    >
      {lines.map((line, at) => (
        <Box
          // The lines of a second may be equal, and none is ever inserted between two others.
          // biome-ignore lint/suspicious/noArrayIndexKey: there is no other key.
          key={`${line.Timestamp} ${at}`}
          sx={{ py: 0.25, overflowWrap: 'anywhere' }}
        >
          <Box component="span" sx={{ color: 'text.secondary' }}>
            {formatTime(Date.parse(line.Timestamp) / 1_000)}
          </Box>{' '}
          <Box component="span" sx={{ color: colours[line.Level], fontWeight: 600 }}>
            {line.Level}
          </Box>{' '}
          {line.Message}
        </Box>
      ))}
    </Box>
  )
}
