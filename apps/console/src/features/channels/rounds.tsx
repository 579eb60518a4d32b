import type { ChannelRound } from '@hub/contract'
import Alert from '@mui/material/Alert'
import Button from '@mui/material/Button'
import Dialog from '@mui/material/Dialog'
import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import DialogTitle from '@mui/material/DialogTitle'
import LinearProgress from '@mui/material/LinearProgress'
import Stack from '@mui/material/Stack'
import Typography from '@mui/material/Typography'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { api, query } from '../../api/index.ts'
import { useT } from '../../ui/index.ts'

const lookMs = 1_500
/** A round that ended longer ago is no news. */
const newsSeconds = 15 * 60

/** How a test or a balance update of all channels goes, and how it ended. */
export const Rounds = () => {
  const client = useQueryClient()
  const { data = [] } = useQuery({
    ...query(api.channels.rounds),
    refetchInterval: ({ state }) =>
      (state.data as ChannelRound[] | undefined)?.some(each => each.ended_at === 0)
        ? lookMs
        : false,
  })
  const ended = data.map(each => each.ended_at).join()
  // biome-ignore lint/correctness/useExhaustiveDependencies: the rows are read anew when a round ends.
  useEffect(() => {
    void client.invalidateQueries({ queryKey: ['channels', 'list'] })
  }, [client, ended])
  const since = Date.now() / 1_000 - newsSeconds
  const shown = data.filter(each => each.ended_at === 0 || each.ended_at > since)
  if (shown.length === 0) return null
  return (
    <Stack spacing={1} sx={{ mb: 2 }} aria-live="polite">
      {shown.map(round => (
        <Round key={`${round.kind}${round.started_at}`} round={round} />
      ))}
    </Stack>
  )
}

const Round = ({ round }: { round: ChannelRound }) => {
  const t = useT()
  const [isHidden, setHidden] = useState(false)
  const [isOpen, setOpen] = useState(false)
  const { kind, done, total, disabled, enabled, failed, ended_at } = round
  if (isHidden) return null
  if (ended_at === 0)
    return (
      <Alert severity="info" variant="outlined" icon={false} sx={{ '& > div': { width: '100%' } }}>
        {t(`channels.round.${kind}.running`, { done, total })}
        <LinearProgress
          aria-hidden
          variant="determinate"
          value={total > 0 ? (done / total) * 100 : 0}
          sx={{ mt: 1 }}
        />
      </Alert>
    )
  const isGood = failed.length + disabled + enabled === 0
  const counts = { done, disabled, enabled, failed: failed.length }
  return (
    <Alert
      severity={failed.length > 0 ? 'warning' : 'success'}
      variant="outlined"
      onClose={() => setHidden(true)}
      closeText={t('common.close')}
    >
      {t(`channels.round.${kind}.${isGood ? 'good' : 'done'}`, counts)}
      {failed.length > 0 && (
        <Button
          size="small"
          color="inherit"
          onClick={() => setOpen(true)}
          sx={{ ml: { xs: -0.75, sm: 1 }, my: -0.5, display: { xs: 'flex', sm: 'inline-flex' } }}
        >
          {t('channels.round.details')}
        </Button>
      )}
      <Reasons failed={failed} open={isOpen} close={() => setOpen(false)} />
    </Alert>
  )
}

type ReasonsProps = { failed: ChannelRound['failed']; open: boolean; close: () => void }

const Reasons = ({ failed, open, close }: ReasonsProps) => {
  const t = useT()
  return (
    <Dialog open={open} onClose={close} fullWidth maxWidth="sm" aria-labelledby="round-failed">
      <DialogTitle id="round-failed">{t('channels.round.failed')}</DialogTitle>
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
