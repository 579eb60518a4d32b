import CheckIcon from 'virtual:icons/check-circle'
import type { AttentionReason, OperationsAttention } from '@hub/contract'
import Box from '@mui/material/Box'
import Link from '@mui/material/Link'
import Typography from '@mui/material/Typography'
import { Link as RouterLink } from 'react-router'
import {
  Badge,
  Card,
  EmptyState,
  formatCount,
  formatDuration,
  formatMoney,
  type T,
  type Tone,
  useT,
} from '../../ui'
import { channelLink } from './links.ts'
import { ScrollArea } from './scroll-area.tsx'

const tones: Record<AttentionReason['kind'], Tone> = {
  disabled: 'red',
  cooldown: 'amber',
  failing: 'red',
  test: 'red',
  balance: 'amber',
}

export const AttentionCard = ({ attention }: { attention: OperationsAttention }) => {
  const t = useT()
  const { channels, channel_count, disabled_by_hand } = attention
  const more = channel_count - channels.length
  const title = t('operations.attention.title')
  return (
    <Card title={title} intro={t('operations.attention.intro')}>
      {channels.length === 0 ? (
        <EmptyState
          icon={<CheckIcon color="success" />}
          title={t('operations.attention.none')}
          text={t('operations.attention.noneText')}
        />
      ) : (
        <ScrollArea label={title}>
          {channels.map(channel => (
            <Box component="li" key={channel.id} sx={{ py: 1.25 }}>
              <Link component={RouterLink} to={channelLink(channel)} sx={{ fontWeight: 500 }}>
                {channel.name}
              </Link>
              {channel.reasons.map(reason => (
                <Reason key={reason.kind} reason={reason} />
              ))}
            </Box>
          ))}
        </ScrollArea>
      )}
      {more > 0 && (
        <Typography variant="caption" component="p" sx={{ color: 'text.secondary', mt: 1 }}>
          {t('operations.attention.more', { count: more })}
        </Typography>
      )}
      {disabled_by_hand > 0 && (
        <Typography variant="caption" component="p" sx={{ mt: 1 }}>
          <Link component={RouterLink} to="/panel/channel?status=2" color="text.secondary">
            {t('operations.attention.byHand', { count: disabled_by_hand })}
          </Link>
        </Typography>
      )}
    </Card>
  )
}

const Reason = ({ reason }: { reason: AttentionReason }) => {
  const t = useT()
  return (
    <Box sx={{ display: 'flex', gap: 1, alignItems: 'flex-start', mt: 0.75 }}>
      <Badge tone={tones[reason.kind]} labelKey={`operations.attention.kinds.${reason.kind}`} />
      <Typography
        variant="body2"
        sx={{ color: 'text.secondary', minWidth: 0, overflowWrap: 'anywhere' }}
      >
        {textOf(t, reason)}
      </Typography>
    </Box>
  )
}

/** The badge before it says what is wrong. */
const textOf = (t: T, reason: AttentionReason): string => {
  if (reason.kind === 'disabled') return reason.detail || t('operations.attention.byGateway')
  if (reason.kind === 'test') return reason.detail
  if (reason.kind === 'failing')
    return t('operations.attention.failing', {
      failed: formatCount(reason.failed),
      total: formatCount(reason.failed + reason.requests),
    })
  if (reason.kind === 'balance') return formatMoney(reason.balance, reason.currency)
  const time = formatDuration(reason.seconds * 1_000)
  return reason.models.length === 0
    ? t('operations.attention.cooldownAll', { time })
    : t('operations.attention.cooldown', { time, models: reason.models.join(', ') })
}
