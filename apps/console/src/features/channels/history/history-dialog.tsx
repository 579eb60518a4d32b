import type { Channel, ChannelChange } from '@hub/contract'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import DialogTitle from '@mui/material/DialogTitle'
import Skeleton from '@mui/material/Skeleton'
import Stack from '@mui/material/Stack'
import Typography from '@mui/material/Typography'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { api, query } from '../../../api/index.ts'
import { Dialog } from '../../../ui/feedback/dialog.tsx'
import {
  Badge,
  Copyable,
  EmptyState,
  ErrorState,
  formatTime,
  type T,
  type Tone,
  useT,
} from '../../../ui/index.ts'

type Props = { channel: Pick<Channel, 'id' | 'name'>; close: () => void }

export const HistoryDialog = ({ channel, close }: Props) => {
  const t = useT()
  return (
    <Dialog open onClose={close} fullWidth maxWidth="sm" aria-labelledby="history-title">
      <DialogTitle id="history-title" sx={{ overflowWrap: 'anywhere' }}>
        {t('channels.history.title', { name: channel.name })}
      </DialogTitle>
      <DialogContent dividers>
        <Typography variant="body2" sx={{ color: 'text.secondary', mb: 1 }}>
          {t('channels.history.intro')}
        </Typography>
        <History channelId={channel.id} />
      </DialogContent>
      <DialogActions sx={{ px: 3, py: 1.5 }}>
        <Button onClick={close}>{t('common.close')}</Button>
      </DialogActions>
    </Dialog>
  )
}

/** Each change of the state of a channel or one of its keys, with the evidence for it. */
export const History = ({ channelId }: { channelId: number }) => {
  const t = useT()
  const { data, error, refetch } = useQuery(query(api.channels.changes, { id: channelId }))
  if (error) return <ErrorState error={error} retry={() => void refetch()} />
  if (!data) return <Skeleton variant="rounded" height={120} />
  if (data.length === 0) return <EmptyState title={t('channels.history.none')} />
  return (
    <Stack component="ul" sx={{ listStyle: 'none', m: 0, p: 0 }}>
      {data.map(each => (
        <Change key={each.id} change={each} />
      ))}
    </Stack>
  )
}

const tones: Record<ChannelChange['status'], Tone> = { 1: 'green', 2: 'gray', 3: 'red' }

const Change = ({ change }: { change: ChannelChange }) => {
  const t = useT()
  const { at, status, reason, request_id } = change
  const facts = factsOf(t, change)
  return (
    <Box
      component="li"
      sx={{ py: 1.25, '& + &': { borderTop: '1px solid', borderColor: 'divider' } }}
    >
      <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', columnGap: 1 }}>
        <Badge tone={tones[status]} labelKey={`channels.status.${status}`} />
        <Typography variant="body2">{causeOf(t, change)}</Typography>
        <Typography variant="caption" sx={{ color: 'text.secondary', ml: 'auto' }}>
          {formatTime(at)}
        </Typography>
      </Box>
      {reason && <Line>{reason}</Line>}
      {facts.length > 0 && <Line isFaint>{facts.join(' · ')}</Line>}
      {request_id && (
        <Line isFaint>
          {t('channels.history.call')} <Copyable text={request_id} />
        </Line>
      )}
    </Box>
  )
}

const Line = ({ isFaint, children }: { isFaint?: boolean; children: ReactNode }) => (
  <Typography
    variant={isFaint ? 'caption' : 'body2'}
    component="div"
    sx={{ mt: 0.5, overflowWrap: 'anywhere', ...(isFaint && { color: 'text.secondary' }) }}
  >
    {children}
  </Typography>
)

const causeOf = (t: T, { cause, actor, status }: ChannelChange): string => {
  if (cause === 'manual') return t('channels.history.manual', { name: actor })
  if (cause === 'test') return t(`channels.history.${status === 1 ? 'testPassed' : 'testFailed'}`)
  return t('channels.history.automatic')
}

const factsOf = (t: T, { fingerprint, http_status, code, model }: ChannelChange): string[] => [
  ...(fingerprint ? [t('channels.history.key', { fingerprint })] : []),
  ...(http_status === null ? [] : [t('channels.history.httpStatus', { status: http_status })]),
  ...(code ? [code] : []),
  ...(model ? [model] : []),
]
