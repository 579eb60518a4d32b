import Button from '@mui/material/Button'
import Stack from '@mui/material/Stack'
import Typography from '@mui/material/Typography'
import { useQuery } from '@tanstack/react-query'
import { query } from '../../api/index.ts'
import { Timestamp, useAction, useT } from '../../ui/index.ts'
import { DeliveryState } from './delivery-state.tsx'
import { type Scope, scopes } from './scope.ts'

/** Lists the last deliveries, failed ones with their reason. */
export const RecentDeliveries = ({ scope }: { scope: Scope }) => {
  const t = useT()
  const { resource, api } = scopes[scope]
  const { data } = useQuery(query(api.deliveries, { page: 1, size: 5 }))
  const resend = useAction(resource, api.resend, { successKey: 'notifications.resent' })
  if (!data || data.data.length === 0) return null
  return (
    <Stack spacing={1.25}>
      <Typography variant="subtitle2" component="h3">
        {t('notifications.recent')}
      </Typography>
      {data.data.map(({ id, state, title, target_name, created_at, failure }) => (
        <Stack key={id} direction="row" spacing={1} sx={{ alignItems: 'flex-start' }}>
          <Stack spacing={0.25} sx={{ flex: 1, minWidth: 0 }}>
            <Stack direction="row" spacing={1} sx={{ alignItems: 'center' }}>
              <DeliveryState state={state} />
              <Typography variant="body2" sx={{ minWidth: 0, overflowWrap: 'anywhere' }}>
                {title}
              </Typography>
            </Stack>
            <Typography
              variant="caption"
              sx={{ color: 'text.secondary', overflowWrap: 'anywhere' }}
            >
              {target_name} · <Timestamp at={created_at} />
              {failure && ` · ${failure}`}
            </Typography>
          </Stack>
          {state === 'failed' && (
            <Button size="small" sx={{ flexShrink: 0 }} onClick={() => void resend({ id })}>
              {t('notifications.resend')}
            </Button>
          )}
        </Stack>
      ))}
    </Stack>
  )
}
