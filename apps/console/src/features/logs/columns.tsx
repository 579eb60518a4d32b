import { type Log, logTypes } from '@hub/contract'
import StreamIcon from '@mui/icons-material/BoltOutlined'
import Box from '@mui/material/Box'
import Tooltip from '@mui/material/Tooltip'
import type { ReactNode } from 'react'
import { significant } from '../../ui/decimal.ts'
import {
  Badge,
  type Column,
  Count,
  formatDuration,
  Mark,
  Quota,
  type Tone,
  useT,
  When,
} from '../../ui/index.ts'
import { breakdownOf, savedPercent, usdOfRatio } from './breakdown.ts'
import { durationTone, firstByteOf, formatSpeed, speedTone, tokensPerSecond } from './speed.ts'

const typeTones: Record<number, Tone> = { 1: 'green', 2: 'amber', 3: 'blue', 4: 'violet' }

export const TypeBadge = ({ type }: { type: number }) => (
  <Badge
    tone={typeTones[type] ?? 'gray'}
    label={typeTones[type] ? `logs.types.${type}` : 'logs.types.unknown'}
  />
)

/** One line of at most so many pixels; the whole of it on hover. */
const Short = ({ text, width }: { text: string; width: number }) => (
  <Box
    component="span"
    title={text}
    sx={{
      display: 'block',
      maxWidth: width,
      overflow: 'hidden',
      textOverflow: 'ellipsis',
      whiteSpace: 'nowrap',
    }}
  >
    {text || '–'}
  </Box>
)

const TwoLines = ({ first, second }: { first: ReactNode; second: ReactNode }) => (
  <Box sx={{ lineHeight: 1.3 }}>
    {first}
    {second && <Box sx={{ fontSize: 12, color: 'text.secondary' }}>{second}</Box>}
  </Box>
)

/** The model of a call; other rows say what they are and what happened. */
const Model = ({ log }: { log: Log }) => {
  const t = useT()
  if (!log.model_name)
    return (
      <Box sx={{ display: 'flex', alignItems: 'center', gap: 1 }}>
        <TypeBadge type={log.type} />
        <Short text={log.content} width={220} />
      </Box>
    )
  return (
    <Box component="span" sx={{ display: 'inline-flex', alignItems: 'center', gap: 0.75 }}>
      <Short text={log.model_name} width={220} />
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

/** Total and first byte, and below them how fast the words came. */
export const Timing = ({ log }: { log: Log }) => {
  const t = useT()
  if (log.type !== logTypes.consume || log.request_time <= 0) return <>–</>
  // Without a stream the first byte comes with the last.
  const first = log.is_stream ? firstByteOf(log) : 0
  const speed = tokensPerSecond(log)
  const total = formatDuration(log.request_time)
  return (
    <Tooltip
      title={t(first ? 'logs.timing' : 'logs.timingTotal', { total, first: formatDuration(first) })}
    >
      <Box component="span" sx={{ display: 'inline-block', lineHeight: 1.3, whiteSpace: 'nowrap' }}>
        <Mark tone={durationTone(log.request_time)} />
        {first ? `${total} / ${formatDuration(first)}` : total}
        {speed !== undefined && (
          <Box component="span" sx={{ display: 'block', fontSize: 12, color: 'text.secondary' }}>
            <Mark tone={speedTone(speed)} />
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
  if (log.quota === 0 && log.type !== logTypes.consume) return <>–</>
  return (
    <Box component="span" sx={{ whiteSpace: 'nowrap' }}>
      <Quota value={log.quota} exact />
      {saved > 0 && (
        <Box component="span" sx={{ color: 'success.main', ml: 0.75, fontSize: 12 }}>
          −{saved}%
        </Box>
      )}
    </Box>
  )
}

/** What it was charged by, in money for a million tokens or for a call; else the words of the row. */
const Detail = ({ log }: { log: Log }) => {
  const t = useT()
  const priced = breakdownOf(log)
  if (!priced) return <>{log.content || '–'}</>
  const money = (side: 'input' | 'output') =>
    `$${significant(usdOfRatio({ units: priced[side].units * priced.groupRatio.units, places: priced[side].places + priced.groupRatio.places }, priced.by))}`
  if (priced.computed === 0n && log.quota === 0) return <Badge tone="green" label="logs.free" />
  return (
    <Box sx={{ color: 'text.secondary', whiteSpace: 'nowrap', fontSize: 12, lineHeight: 1.35 }}>
      {priced.by === 'times' ? (
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

/** Input over output, as they are charged. */
const Tokens = ({ log }: { log: Log }) =>
  log.type === logTypes.consume ? (
    <TwoLines
      first={<Count value={log.prompt_tokens} />}
      second={<Count value={log.completion_tokens} />}
    />
  ) : (
    <>–</>
  )

const channelOf = (log: Log) => `${log.channel_id} (${log.channel?.name ?? '?'})`

/** Who called, and below through which channel. */
const Caller = ({ log }: { log: Log }) => (
  <TwoLines
    first={<Short text={log.username} width={150} />}
    second={log.channel_id ? <Short text={channelOf(log)} width={150} /> : null}
  />
)

/** The token, and below it the group whose prices applied. */
const TokenName = ({ log }: { log: Log }) => (
  <TwoLines
    first={<Short text={log.token_name} width={130} />}
    second={
      typeof log.metadata.group_name === 'string' && (
        <Short text={log.metadata.group_name} width={130} />
      )
    }
  />
)

const forAdministrators: Column<Log>[] = [
  { key: 'user_id', label: 'logs.fields.caller', show: row => <Caller log={row} /> },
]

const common: Column<Log>[] = [
  { key: 'token_name', label: 'logs.fields.tokenAndGroup', show: row => <TokenName log={row} /> },
  { key: 'type', hidden: true, show: row => <TypeBadge type={row.type} /> },
  { key: 'model_name', show: row => <Model log={row} /> },
  { key: 'duration', show: row => <Timing log={row} /> },
  { key: 'tokens', align: 'right', show: row => <Tokens log={row} /> },
  { key: 'quota', align: 'right', show: row => <Charge log={row} /> },
  { key: 'detail', hidden: true, show: row => <Detail log={row} /> },
  { key: 'source_ip', hidden: true },
]

export const columnsFor = (isAdmin: boolean): Column<Log>[] => [
  { key: 'created_at', width: 160, show: row => <When at={row.created_at} /> },
  ...(isAdmin ? forAdministrators : []),
  ...common,
]
