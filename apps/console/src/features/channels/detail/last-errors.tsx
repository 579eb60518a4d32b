import type { Channel, Log } from '@hub/contract'
import Box from '@mui/material/Box'
import Link from '@mui/material/Link'
import Skeleton from '@mui/material/Skeleton'
import Stack from '@mui/material/Stack'
import Typography from '@mui/material/Typography'
import { useQuery } from '@tanstack/react-query'
import { Link as RouterLink } from 'react-router'
import { api, query } from '../../../api/index.ts'
import { ModelName } from '../../../domain/index.ts'
import { useOptionalT } from '../../../locales/use-t.ts'
import { Card, EmptyState, ErrorState, Timestamp, useT } from '../../../ui/index.ts'

const shownErrors = 5
/** The type of errors in `logTypes`, whose module would bring all schemas of logs along. */
const errorType = 5

/** The latest calls that failed at this channel, each with a link to its page. */
export const LastErrors = ({ channel: { id } }: { channel: Pick<Channel, 'id'> }) => {
  const t = useT()
  const { data, error, refetch } = useQuery({
    ...query(api.logs.list, { channel_id: id, log_type: errorType, size: shownErrors }),
    refetchInterval: 60_000,
  })
  return (
    <Card
      title={t('channel.errors.title')}
      intro={t('channel.errors.intro')}
      actions={
        <Link
          component={RouterLink}
          to={`/panel/log?log_type=${errorType}&channel_id=${id}`}
          variant="body2"
          sx={{ whiteSpace: 'nowrap' }}
        >
          {t('channel.errors.all')}
        </Link>
      }
    >
      {error && <ErrorState error={error} retry={() => void refetch()} />}
      {!error && !data && <Skeleton variant="rounded" height={120} />}
      {data?.data.length === 0 && <EmptyState title={t('channel.errors.none')} />}
      <Stack component="ul" sx={{ listStyle: 'none', m: 0, p: 0 }}>
        {data?.data.map(each => (
          <LastError key={each.id} log={each} />
        ))}
      </Stack>
    </Card>
  )
}

const LastError = ({ log }: { log: Log }) => {
  const optionalT = useOptionalT()
  return (
    <Box component="li" sx={{ py: 1, '& + &': { borderTop: '1px solid', borderColor: 'divider' } }}>
      <Stack direction="row" sx={{ justifyContent: 'space-between', gap: 2 }}>
        <Link
          component={RouterLink}
          to={`/panel/log/${log.id}`}
          variant="body2"
          sx={{ overflowWrap: 'anywhere' }}
        >
          {optionalT(`faults.${log.content}`) ?? log.content}
        </Link>
        <Typography variant="caption" sx={{ color: 'text.secondary', whiteSpace: 'nowrap' }}>
          <Timestamp at={log.created_at} />
        </Typography>
      </Stack>
      <Typography variant="caption" component="div" sx={{ color: 'text.secondary' }}>
        <ModelName name={log.model_name} />
      </Typography>
    </Box>
  )
}
