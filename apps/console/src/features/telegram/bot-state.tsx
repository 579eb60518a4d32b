import type { TelegramState } from '@hub/contract'
import Alert from '@mui/material/Alert'
import Button from '@mui/material/Button'
import Link from '@mui/material/Link'
import Skeleton from '@mui/material/Skeleton'
import Stack from '@mui/material/Stack'
import { useQuery } from '@tanstack/react-query'
import { Link as RouterLink } from 'react-router'
import { api, query } from '../../api/index.ts'
import { Badge, Card, formatTime, type Tone, useAction, useT } from '../../ui/index.ts'

const tones: Record<TelegramState['state'], Tone> = {
  off: 'gray',
  starting: 'amber',
  webhook: 'green',
  polling: 'green',
  failed: 'red',
}
/** A change of the settings has effect within seconds. */
const refetchMilliseconds = 5000

/** Shows whether the bot runs, its node and its last failure. */
export const BotState = () => {
  const t = useT()
  const { data } = useQuery({
    ...query(api.telegram.status),
    refetchInterval: refetchMilliseconds,
  })
  const reload = useAction('telegram', api.telegram.reload, { successKey: 'telegram.reloaded' })
  if (!data)
    return (
      <Card>
        <Skeleton variant="rounded" height={36} />
      </Card>
    )
  const { state, status, node, username, last_error, last_error_time } = data
  return (
    <Card>
      <Stack
        direction={{ xs: 'column', sm: 'row' }}
        spacing={2}
        sx={{ alignItems: { sm: 'center' }, justifyContent: 'space-between' }}
      >
        <Stack direction="row" spacing={2} sx={{ alignItems: 'center', flexWrap: 'wrap' }}>
          <Badge tone={tones[state]} text={t(`telegram.state.${state}`, { node })} />
          {username && (
            <Link href={`https://t.me/${username}`} target="_blank" rel="noreferrer">
              @{username}
            </Link>
          )}
        </Stack>
        <Stack direction="row" spacing={1}>
          <Button component={RouterLink} to="/panel/setting?tab=system" color="inherit">
            {t('telegram.settings')}
          </Button>
          <Button
            variant="outlined"
            color="inherit"
            disabled={!status}
            onClick={() => void reload({})}
          >
            {t('telegram.reload')}
          </Button>
        </Stack>
      </Stack>
      {last_error && (
        <Alert severity={status ? 'warning' : 'error'} sx={{ mt: 2, overflowWrap: 'anywhere' }}>
          {t('telegram.lastError', { time: formatTime(last_error_time), error: last_error })}
        </Alert>
      )}
    </Card>
  )
}
