import StreamIcon from 'virtual:icons/bolt'
import { type Log, logTypes } from '@hub/contract'
import Box from '@mui/material/Box'
import Tooltip from '@mui/material/Tooltip'
import { significant, times } from '../../domain/decimal.ts'
import { formatCharge, ModelName, Quota, type QuotaDisplay } from '../../domain/index.ts'
import {
  Badge,
  type Column,
  Count,
  formatDuration,
  formatPercent,
  StatusDot,
  Timestamp,
  type Tone,
  TruncatedText,
  TwoLines,
  useT,
} from '../../ui/index.ts'
import { useContent } from './content.ts'
import { ErrorCell } from './errors.tsx'
import { CachedShare } from './prompt-cache/cached-share.tsx'
import { breakdownOf, savedPercent, usdOfRatio } from './record/breakdown.ts'
import { durationTone, firstByteOf, formatSpeed, speedTone, tokensPerSecond } from './speed.ts'

const typeTones: Record<number, Tone> = {
  1: 'green',
  2: 'amber',
  3: 'blue',
  4: 'violet',
  5: 'red',
  6: 'gray',
}

export const TypeBadge = ({ type }: { type: number }) => (
  <Badge
    tone={typeTones[type] ?? 'gray'}
    labelKey={typeTones[type] ? `logs.types.${type}` : 'logs.types.unknown'}
  />
)

/** A call of this gateway, or one of another gateway's history. */
export const isCharge = ({ type, model_name }: Log): boolean =>
  type === logTypes.consume || (type === logTypes.imported && model_name !== '')

const hasBadge = ({ type }: Log) => type === logTypes.error || type === logTypes.imported

/** The model of a call; entries without a model show their type and content. */
const Model = ({ log }: { log: Log }) => {
  const t = useT()
  const contentOf = useContent()
  if (!log.model_name)
    return (
      <Box sx={{ display: 'flex', alignItems: 'center', gap: 1 }}>
        <TypeBadge type={log.type} />
        <TruncatedText text={contentOf(log)} width={220} />
      </Box>
    )
  return (
    <Box
      component="span"
      sx={{ display: 'inline-flex', alignItems: 'center', gap: 0.75, verticalAlign: 'top' }}
    >
      <ModelName name={log.model_name} width={220} />
      {hasBadge(log) && <TypeBadge type={log.type} />}
      {log.is_stream && (
        <Tooltip title={t('logs.stream')}>
          <StreamIcon
            titleAccess={t('logs.stream')}
            sx={{ fontSize: 16, color: 'text.secondary' }}
          />
        </Tooltip>
      )}
    </Box>
  )
}

/** The total duration and the time to the first byte, with the output speed below. */
export const Timing = ({ log }: { log: Log }) => {
  const t = useT()
  if (!isCharge(log) || log.request_time <= 0) return <>–</>
  // Without streaming the first byte arrives together with the last.
  const first = log.is_stream ? firstByteOf(log) : 0
  const speed = tokensPerSecond(log)
  const total = formatDuration(log.request_time)
  return (
    <Tooltip
      title={t(first ? 'logs.timing' : 'logs.timingTotal', { total, first: formatDuration(first) })}
    >
      <Box component="span" sx={{ display: 'inline-block', lineHeight: 1.3, whiteSpace: 'nowrap' }}>
        <StatusDot tone={durationTone(log.request_time)} />
        {first ? `${total} / ${formatDuration(first)}` : total}
        {speed !== undefined && (
          <Box component="span" sx={{ display: 'block', fontSize: 12, color: 'text.secondary' }}>
            <StatusDot tone={speedTone(speed)} />
            {formatSpeed(speed)} t/s
          </Box>
        )}
      </Box>
    </Tooltip>
  )
}

const Charge = ({ log }: { log: Log }) => {
  const breakdown = breakdownOf(log)
  const saved = breakdown ? savedPercent(breakdown) : 0
  if (log.metadata.cache === 'hit') return <Badge tone="green" labelKey="logs.cached" />
  if (log.quota === 0 && log.type !== logTypes.consume) return <>–</>
  return (
    <TwoLines
      first={<Quota value={log.quota} exact />}
      second={
        saved > 0 && (
          <Box component="span" sx={{ color: 'success.main' }}>
            {formatPercent(-saved)}
          </Box>
        )
      }
    />
  )
}

/** The price in dollars per million tokens or per call; entries without a price show their content. */
const PriceDetail = ({ log }: { log: Log }) => {
  const t = useT()
  const contentOf = useContent()
  const priced = breakdownOf(log)
  if (!priced) return <>{contentOf(log) || '–'}</>
  const money = (side: 'input' | 'output') =>
    `$${significant(usdOfRatio(times(priced[side], priced.groupRatio), priced.priceType))}`
  if (priced.computed === 0n && log.quota === 0) return <Badge tone="green" labelKey="logs.free" />
  return (
    <Box sx={{ color: 'text.secondary', whiteSpace: 'nowrap', fontSize: 12, lineHeight: 1.35 }}>
      {priced.priceType === 'times' ? (
        t('logs.perCall', { price: money('input') })
      ) : (
        <>
          <div>{t('logs.perMillionIn', { price: money('input') })}</div>
          <div>{t('logs.perMillionOut', { price: money('output') })}</div>
        </>
      )}
    </Box>
  )
}

/** Input tokens, with their cached share, above output tokens. */
const Tokens = ({ log }: { log: Log }) =>
  isCharge(log) ? (
    <TwoLines
      first={
        <>
          <CachedShare log={log} />
          <Count value={log.prompt_tokens} />
        </>
      }
      second={<Count value={log.completion_tokens} />}
    />
  ) : (
    <>–</>
  )

const channelOf = (log: Log) => `${log.channel_id} (${log.channel?.name ?? '?'})`

/** The user, with the channel below. */
const UserAndChannel = ({ log }: { log: Log }) => (
  <TwoLines
    first={<TruncatedText text={log.username} width={150} />}
    second={log.channel_id ? <TruncatedText text={channelOf(log)} width={150} /> : null}
  />
)

/** The token, with the group that set the price ratio below. */
const TokenAndGroup = ({ log }: { log: Log }) => (
  <TwoLines
    first={<TruncatedText text={log.token_name} width={130} />}
    second={
      typeof log.metadata.group_name === 'string' && (
        <TruncatedText text={log.metadata.group_name} width={130} />
      )
    }
  />
)

const adminColumns: Column<Log>[] = [
  { key: 'user_id', labelKey: 'logs.fields.caller', render: row => <UserAndChannel log={row} /> },
]

const commonColumns = (site: QuotaDisplay): Column<Log>[] => [
  {
    key: 'token_name',
    labelKey: 'logs.fields.tokenAndGroup',
    render: row => <TokenAndGroup log={row} />,
  },
  { key: 'type', hidden: true, render: row => <TypeBadge type={row.type} /> },
  { key: 'model_name', render: row => <Model log={row} /> },
  { key: 'request_time', labelKey: 'logs.fields.duration', render: row => <Timing log={row} /> },
  { key: 'tokens', align: 'right', render: row => <Tokens log={row} /> },
  {
    key: 'quota',
    align: 'right',
    amount: row => (row.quota === 0 ? undefined : formatCharge(row.quota, site)),
    render: row => <Charge log={row} />,
  },
  { key: 'detail', hidden: true, render: row => <PriceDetail log={row} /> },
  { key: 'source_ip', hidden: true },
]

const errorColumns: Column<Log>[] = [
  { key: 'token_name' },
  {
    key: 'model_name',
    render: row => (row.model_name ? <ModelName name={row.model_name} width={220} /> : '–'),
  },
  { key: 'code', render: row => <ErrorCell log={row} /> },
  {
    key: 'request_time',
    labelKey: 'logs.fields.duration',
    align: 'right',
    render: row => formatDuration(row.request_time),
  },
  { key: 'source_ip', hidden: true },
]

export const columnsFor = (
  isAdmin: boolean,
  isErrors: boolean,
  site: QuotaDisplay,
): Column<Log>[] => [
  { key: 'created_at', width: 160, render: row => <Timestamp at={row.created_at} /> },
  ...(isAdmin ? adminColumns : []),
  ...(isErrors ? errorColumns : commonColumns(site)),
]
