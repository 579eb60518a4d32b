import type { Channel } from '@hub/contract'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Dialog from '@mui/material/Dialog'
import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import DialogTitle from '@mui/material/DialogTitle'
import LinearProgress from '@mui/material/LinearProgress'
import Stack from '@mui/material/Stack'
import useMediaQuery from '@mui/material/useMediaQuery'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useId, useState } from 'react'
import { Badge, formatFixed, type T, useT } from '../../../ui/index.ts'
import { type TestResult, testChannels } from './run-tests.ts'

type Results = ReadonlyMap<number, TestResult>

/** Starts the tests when the dialog opens and stops them when it closes. */
const useResults = (channels: readonly Channel[], t: T): Results => {
  const client = useQueryClient()
  const [results, setResults] = useState<Results>(new Map())
  // biome-ignore lint/correctness/useExhaustiveDependencies: the tests run once for the channels of the dialog
  useEffect(() => {
    const stop = new AbortController()
    const report = (id: number, result: TestResult) =>
      setResults(now => new Map(now).set(id, result))
    void testChannels(t, channels, report, stop.signal).finally(() =>
      client.invalidateQueries({ queryKey: ['channels'] }),
    )
    return () => stop.abort()
  }, [])
  return results
}

type Props = {
  channels: readonly Channel[]
  /** Opens a channel whose test failed. */
  edit: (channel: Channel) => void
  onClose: () => void
}

/** The tests of channels that were created together, with the result of each. */
export const TestResults = ({ channels, edit, onClose }: Props) => {
  const t = useT()
  const id = useId()
  const isPhone = useMediaQuery('(max-width: 599.95px)')
  const results = useResults(channels, t)
  const count = (state: TestResult['state']) =>
    [...results.values()].filter(each => each.state === state).length
  const failed = count('failed')
  const done = count('passed') + failed
  const isDone = done === channels.length
  return (
    <Dialog
      open
      fullScreen={isPhone}
      fullWidth
      maxWidth="sm"
      aria-labelledby={id}
      slotProps={{ paper: { sx: isPhone ? { border: 0 } : {} } }}
    >
      <DialogTitle id={id}>{t('channels.newTests.title')}</DialogTitle>
      <Box sx={{ px: 3, pb: 2 }}>
        <Box aria-live="polite" sx={{ fontSize: 13, color: 'text.secondary', mb: 1 }}>
          {t(`channels.newTests.${isDone ? 'done' : 'running'}`, {
            done,
            failed,
            total: channels.length,
          })}
        </Box>
        <LinearProgress
          aria-hidden
          variant="determinate"
          value={(done / channels.length) * 100}
          color={failed > 0 ? 'warning' : 'primary'}
        />
      </Box>
      <DialogContent dividers tabIndex={0} sx={{ py: 0 }}>
        <Stack component="ul" sx={{ listStyle: 'none', m: 0, p: 0 }}>
          {channels.map(channel => (
            <Result
              key={channel.id}
              name={channel.name}
              result={results.get(channel.id) ?? { state: 'waiting' }}
              edit={edit}
            />
          ))}
        </Stack>
      </DialogContent>
      <DialogActions sx={{ px: 3, py: 1.5 }}>
        <Button variant={isDone ? 'contained' : 'text'} onClick={onClose}>
          {t(isDone ? 'common.close' : 'channels.newTests.stop')}
        </Button>
      </DialogActions>
    </Dialog>
  )
}

const tones = { waiting: 'gray', running: 'blue', passed: 'green', failed: 'red' } as const

const Result = ({
  name,
  result,
  edit,
}: {
  name: string
  result: TestResult
  edit: Props['edit']
}) => {
  const t = useT()
  return (
    <Box
      component="li"
      sx={{
        py: 1.25,
        borderBottom: '1px solid',
        borderColor: 'divider',
        '&:last-of-type': { border: 0 },
      }}
    >
      <Stack direction="row" spacing={1} sx={{ alignItems: 'center', minHeight: 30 }}>
        <Box sx={{ flex: 1, minWidth: 0, fontWeight: 500, overflowWrap: 'anywhere' }}>{name}</Box>
        {result.state === 'passed' && (
          <Box sx={{ fontSize: 12, color: 'text.secondary', textAlign: 'right' }}>
            {result.model} · {formatFixed(result.seconds, 2)} s
          </Box>
        )}
        {result.state === 'failed' && (
          <Button size="small" sx={{ minHeight: 30 }} onClick={() => edit(result.channel)}>
            {t('common.edit')}
          </Button>
        )}
        <Badge tone={tones[result.state]} labelKey={`channels.newTests.states.${result.state}`} />
      </Stack>
      {result.state === 'failed' && (
        <Box sx={{ fontSize: 13, color: 'text.secondary', overflowWrap: 'anywhere' }}>
          {result.channel.test_error}
        </Box>
      )}
    </Box>
  )
}
