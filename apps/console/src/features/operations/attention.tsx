import CheckIcon from 'virtual:icons/check-circle'
import type {
  AttentionReason,
  JobName,
  OperationsAttention,
  Problem,
  SettingKey,
} from '@hub/contract'
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
  formatTime,
  type T,
  type Tone,
  useT,
} from '../../ui'
import { channelLink } from './links.ts'
import { NewRules } from './new-rules.tsx'
import { ScrollArea } from './skeleton.tsx'

const tones: Record<AttentionReason['kind'], Tone> = {
  disabled: 'red',
  cooldown: 'amber',
  failing: 'red',
  test: 'red',
  balance: 'amber',
  ratio: 'red',
  models: 'amber',
}

export const AttentionCard = ({ attention }: { attention: OperationsAttention }) => {
  const t = useT()
  const { problems, new_rules, channels, channel_count, disabled_by_hand } = attention
  const more = channel_count - channels.length
  const title = t('operations.attention.title')
  return (
    <Card title={title} intro={t('operations.attention.intro')}>
      {channels.length + problems.length === 0 && !new_rules ? (
        <EmptyState
          icon={<CheckIcon color="success" />}
          title={t('operations.attention.none')}
          text={t('operations.attention.noneText')}
        />
      ) : (
        <ScrollArea label={title}>
          {problems.map(problem => (
            <ProblemRow key={`${problem.kind} ${problem.id} ${problem.name}`} problem={problem} />
          ))}
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
          {new_rules && <NewRules {...new_rules} />}
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
  if (reason.kind === 'ratio') {
    const { group, before, after } = reason
    return t('operations.attention.ratio', { group, before, after })
  }
  if (reason.kind === 'models') {
    const { added, removed } = reason
    return t('operations.attention.models', { added, removed })
  }
  if (reason.kind === 'balance') {
    const { balance, currency, below, until } = reason
    return t(`operations.attention.balances.${reason.warning}`, {
      amount: formatMoney(balance, currency),
      below: formatMoney(below, currency),
      date: until === null ? '' : formatTime(until).slice(0, 16),
    })
  }
  const time = formatDuration(reason.seconds * 1_000)
  return reason.models.length === 0
    ? t('operations.attention.cooldownAll', { time })
    : t('operations.attention.cooldown', { time, models: reason.models.join(', ') })
}

/** The page on which the problem is mended. */
const linkOf = ({ kind, id, name }: Problem): string => {
  const pages: Record<Problem['kind'], string> = {
    mail: '/panel/setting?tab=system',
    notifier: '/panel/notification',
    payment: '/panel/payment',
    price_list: '/panel/pricing',
    bot: '/panel/telegram',
    task_storage: '/panel/setting?tab=operation',
    balance: channelLink({ id, name }),
    model_list: channelLink({ id, name }),
    backup: '/panel/system_info',
    backup_late: '/panel/system_info',
    job: '/panel/system_info',
    address: '/panel/setting?tab=other',
    incomplete: '/panel/setting',
    below_cost: '/panel/margin?by=model%2Cchannel',
  }
  return pages[kind]
}

const titleOf = (t: T, { kind, name, code, since }: Problem): string =>
  t(`operations.attention.problems.${kind === 'address' ? `address_${code}` : kind}`, {
    name: kind === 'job' ? t(`system-info.jobs.names.${name as JobName}`) : name,
    time: formatTime(since),
  })

/** The name of a setting, or of other users of the site's address. */
const nameOf = (t: T, key: string): string => {
  if (key === 'payment_gateways') return t('operations.attention.problems.paymentGateways')
  if (key === 'oauth_providers') return t('oauth-providers.title')
  return t(`settings.fields.${key as SettingKey}`)
}

const problemText = (t: T, { kind, name, keys, since, failures, detail }: Problem): string => {
  const names = keys.map(key => nameOf(t, key)).join(', ')
  if (kind === 'address') return t('operations.attention.problems.usedBy', { names })
  if (kind === 'incomplete')
    return t('operations.attention.problems.lacks', { name: nameOf(t, name), names })
  if (kind === 'job')
    return since === 0
      ? t('operations.attention.problems.neverSucceeded')
      : t('operations.attention.problems.lastSuccess', { time: formatTime(since) })
  if (kind === 'below_cost')
    return t('operations.attention.problems.belowCostText', {
      channel: keys.join(', '),
      loss: detail,
    })
  if (failures === 0) return ''
  return t('operations.attention.problems.failed', { count: failures, time: formatTime(since) })
}

/** A service that fails, or a switch that cannot work. The words of the service are small beneath. */
const ProblemRow = ({ problem }: { problem: Problem }) => {
  const t = useT()
  const detail = ['address', 'below_cost'].includes(problem.kind) ? '' : problem.detail
  return (
    <Box component="li" sx={{ py: 1.25, overflowWrap: 'anywhere' }}>
      <Link component={RouterLink} to={linkOf(problem)} sx={{ fontWeight: 500 }}>
        {titleOf(t, problem)}
      </Link>
      <Typography variant="body2" sx={{ color: 'text.secondary', mt: 0.5 }}>
        {problemText(t, problem)}
      </Typography>
      {detail && (
        <Typography variant="caption" component="p" sx={{ color: 'text.secondary' }}>
          {detail}
        </Typography>
      )}
    </Box>
  )
}
