import type { ChannelBatchRun } from '@hub/contract'
import Alert from '@mui/material/Alert'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import DialogTitle from '@mui/material/DialogTitle'
import Stack from '@mui/material/Stack'
import Typography from '@mui/material/Typography'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { api, query } from '../../api/index.ts'
import { Dialog } from '../../ui/feedback/dialog.tsx'
import { Meter, useT } from '../../ui/index.ts'

const pollIntervalMs = 1_500
/** A run that ended longer ago is not shown. */
const recentSeconds = 15 * 60

/** Progress and results of recent tests and balance updates of all channels. */
export const BatchRuns = () => {
  const client = useQueryClient()
  const { data = [] } = useQuery({
    ...query(api.channels.rounds),
    refetchInterval: ({ state }) =>
      (state.data as ChannelBatchRun[] | undefined)?.some(each => each.ended_at === 0)
        ? pollIntervalMs
        : false,
  })
  const ended = data.map(each => each.ended_at).join()
  // biome-ignore lint/correctness/useExhaustiveDependencies: refetches the rows when a run ends.
  useEffect(() => {
    void client.invalidateQueries({ queryKey: ['channels', 'list'] })
  }, [client, ended])
  const since = Date.now() / 1_000 - recentSeconds
  const shown = data.filter(each => each.ended_at === 0 || each.ended_at > since)
  if (shown.length === 0) return null
  return (
    <Stack spacing={1} sx={{ mb: 2 }} aria-live="polite">
      {shown.map(run => (
        <BatchRunAlert key={`${run.kind}${run.started_at}`} run={run} />
      ))}
    </Stack>
  )
}

const BatchRunAlert = ({ run }: { run: ChannelBatchRun }) => {
  const t = useT()
  const [isHidden, setHidden] = useState(false)
  const [isOpen, setOpen] = useState(false)
  const { kind, done, total, disabled, enabled, enabled_keys, untested, failed, ended_at } = run
  if (isHidden) return null
  if (ended_at === 0)
    return (
      <Alert severity="info" variant="outlined" icon={false} sx={{ '& > div': { width: '100%' } }}>
        {t(`channels.batchRun.${kind}.running`, { done, total })}
        <Box sx={{ mt: 1 }}>
          <Meter percent={total > 0 ? (done / total) * 100 : 0} />
        </Box>
      </Alert>
    )
  const hasNoIssues = failed.length + disabled + enabled === 0
  const counts = { done: done - untested, disabled, enabled, failed: failed.length }
  const isOnlyUntested = untested > 0 && untested === done
  return (
    <Alert
      severity={failed.length > 0 ? 'warning' : 'success'}
      variant="outlined"
      onClose={() => setHidden(true)}
      closeText={t('common.close')}
    >
      {!isOnlyUntested &&
        `${t(`channels.batchRun.${kind}.${hasNoIssues ? 'succeeded' : 'done'}`, counts)} `}
      {enabled_keys > 0 && `${t('channels.batchRun.enabledKeys', { count: enabled_keys })} `}
      {untested > 0 && t('channels.batchRun.untested', { count: untested })}
      {failed.length > 0 && (
        <Button
          size="small"
          color="inherit"
          onClick={() => setOpen(true)}
          sx={{ ml: { xs: -0.75, sm: 1 }, my: -0.5, display: { xs: 'flex', sm: 'inline-flex' } }}
        >
          {t('channels.batchRun.details')}
        </Button>
      )}
      <FailureReasons failed={failed} open={isOpen} close={() => setOpen(false)} />
    </Alert>
  )
}

type FailureReasonsProps = { failed: ChannelBatchRun['failed']; open: boolean; close: () => void }

const FailureReasons = ({ failed, open, close }: FailureReasonsProps) => {
  const t = useT()
  return (
    <Dialog open={open} onClose={close} fullWidth maxWidth="sm" aria-labelledby="batch-run-failed">
      <DialogTitle id="batch-run-failed">{t('channels.batchRun.failed')}</DialogTitle>
      <DialogContent dividers tabIndex={0}>
        <Stack component="ul" spacing={1.5} sx={{ listStyle: 'none', m: 0, p: 0 }}>
          {failed.map(({ id, name, reason }) => (
            <li key={id}>
              <Typography variant="body2" sx={{ fontWeight: 500 }}>
                {name}
              </Typography>
              <Typography
                variant="body2"
                sx={{ color: 'text.secondary', overflowWrap: 'anywhere' }}
              >
                {reason}
              </Typography>
            </li>
          ))}
        </Stack>
      </DialogContent>
      <DialogActions sx={{ px: 3, py: 1.5 }}>
        <Button onClick={close}>{t('common.close')}</Button>
      </DialogActions>
    </Dialog>
  )
}
