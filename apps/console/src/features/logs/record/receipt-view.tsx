import { type Log, type Receipt, usageClassNames } from '@hub/contract'
import Alert from '@mui/material/Alert'
import Box from '@mui/material/Box'
import MuiLink from '@mui/material/Link'
import Skeleton from '@mui/material/Skeleton'
import Stack from '@mui/material/Stack'
import Typography from '@mui/material/Typography'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { api, query } from '../../../api/index.ts'
import {
  compare,
  type Decimal,
  decimal,
  significant,
  times,
  writeDecimal,
} from '../../../domain/decimal.ts'
import { Quota, toolName } from '../../../domain/index.ts'
import {
  Badge,
  formatCount,
  formatNumber,
  mono,
  type T,
  Timestamp,
  useT,
} from '../../../ui/index.ts'
import { savedPercent, usdOfPoints, usdOfRatio } from './breakdown.ts'
import { BreakdownView, Line, modeName, Step } from './breakdown-view.tsx'
import { Mark, ReceiptBar } from './receipt-bar.tsx'

/** The calculation of a charge from the ledger's receipt, or from the log entry if there is no receipt. */
export const ReceiptView = ({ log, flush = false }: { log: Log; flush?: boolean }) => {
  const { data, isPending } = useQuery({
    ...query(api.logs.receipt, { id: log.id }),
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
  })
  const mt = flush ? 0 : 3
  if (isPending) return <Skeleton variant="rounded" height={320} sx={{ mt }} />
  return (
    <Box sx={{ mt }}>
      {data ? (
        <ReceiptBreakdown receipt={data} groupName={String(log.metadata.group_name ?? '')} />
      ) : (
        <BreakdownView log={log} />
      )}
    </Box>
  )
}

const usd = (amount: Decimal) => `$${significant(amount)}`

const ReceiptBreakdown = ({ receipt, groupName }: { receipt: Receipt; groupName: string }) => {
  const t = useT()
  const { items, sum, version } = receipt
  const ratio = decimal(receipt.group_ratio)
  return (
    <Stack spacing={2}>
      <Typography variant="h3">{t('logs.steps.title')}</Typography>
      <Step title={t('logs.steps.original')}>
        <Prices receipt={receipt} ratio={decimal(1)} />
        {receipt.modes.map(({ mode, ratio: modeRatio }) => (
          <Line key={mode} label={modeName(t, mode)} value={`× ${modeRatio}`} />
        ))}
      </Step>
      <Step title={t('logs.steps.group')}>
        <Line label={groupName || '–'} value={`× ${writeDecimal(ratio)}`} />
      </Step>
      {compare(ratio, decimal(1)) !== 0 && (
        <Step title={t('logs.steps.actual')}>
          <Prices receipt={receipt} ratio={ratio} />
        </Step>
      )}
      <Step title={t('logs.steps.calculation')}>
        <ReceiptBar items={items} />
        <Stack spacing={1}>
          {items.map((item, index) => (
            <ReceiptItem key={item.kind} {...{ item, index }} ratio={receipt.group_ratio} />
          ))}
        </Stack>
        <Box sx={{ borderTop: '1px solid', borderColor: 'divider', mt: 1, pt: 0.5 }}>
          <Line label={t('logs.receipt.sum')} value={t('logs.points', { value: grouped(sum) })} />
          <Line
            label={t('logs.receipt.rounded')}
            value={t('logs.points', { value: formatCount(receipt.cost) })}
          />
        </Box>
      </Step>
      <ChannelPrompt {...receipt} />
      <Result receipt={receipt} />
      <OperatorCost receipt={receipt} />
      {receipt.task_id && (
        <MuiLink component={Link} to={`/panel/task?task_id=${receipt.task_id}&open=${receipt.id}`}>
          {t('logs.receipt.task')}
        </MuiLink>
      )}
      <Typography variant="caption" component="p" sx={{ color: 'text.secondary' }}>
        {t('logs.receipt.version', { id: version.id })}
        {version.since !== null && (
          <>
            {t('logs.receipt.since')} <Timestamp at={version.since} />
          </>
        )}
      </Typography>
    </Stack>
  )
}

/** For administrators only: users are sent none. */
const OperatorCost = ({ receipt: { operator } }: { receipt: Receipt }) => {
  const t = useT()
  if (!operator) return null
  const { cost, cost_usd, margin_usd } = operator
  return (
    <Step title={t('logs.receipt.operator')}>
      <Line label={t('logs.receipt.operatorCost')} value={`${cost.amount} ${cost.currency}`} />
      {cost.currency !== 'USD' && cost_usd !== null && (
        <Line label={t('logs.receipt.operatorCostUsd')} value={`$${cost_usd}`} />
      )}
      <Line
        label={t('logs.receipt.operatorMargin')}
        value={margin_usd === null ? '–' : `$${margin_usd}`}
      />
    </Step>
  )
}

/** The part of the prompt that is not the caller's own. */
const ChannelPrompt = ({ channel_prompt_tokens: tokens }: Receipt) => {
  const t = useT()
  if (tokens === undefined) return null
  return (
    <Typography variant="caption" component="p" sx={{ color: 'text.secondary' }}>
      {t('logs.receipt.channel_prompt', { tokens: formatCount(tokens) })}
    </Typography>
  )
}

const Prices = ({ receipt, ratio }: { receipt: Receipt; ratio: Decimal }) => {
  const t = useT()
  const usdOf = (priceRatio: string) =>
    usd(usdOfRatio(times(decimal(priceRatio), ratio), receipt.type))
  if (receipt.type === 'times')
    return <Line label={t('logs.steps.call')} value={usdOf(receipt.input)} />
  return (
    <>
      <Line label={t('logs.steps.input')} value={`${usdOf(receipt.input)} / 1M`} />
      <Line label={t('logs.steps.output')} value={`${usdOf(receipt.output)} / 1M`} />
    </>
  )
}

type ReceiptItemProps = { item: Receipt['items'][number]; index: number; ratio: string }

/** One usage class: its name and points, with the factors below. */
const ReceiptItem = ({ item, index, ratio }: ReceiptItemProps) => {
  const t = useT()
  const factors = [item.price, item.ratio, ratio].filter(
    (each, index) => index === 0 || each !== '1',
  )
  return (
    <Box>
      <Line
        label={
          <>
            <Mark index={index} />
            {nameOf(t, item)}
          </>
        }
        value={t('logs.points', { value: grouped(item.points) })}
      />
      <Stack
        direction="row"
        spacing={2}
        sx={{ justifyContent: 'space-between', fontSize: 12, color: 'text.secondary' }}
      >
        <Box component="span" sx={{ fontFamily: mono, overflowWrap: 'anywhere' }}>
          {[formatCount(item.count), ...factors].join(' × ')}
        </Box>
        <Box component="span" sx={{ whiteSpace: 'nowrap' }}>
          {usd(usdOfPoints(decimal(item.points)))}
        </Box>
      </Stack>
    </Box>
  )
}

const classes = new Set<string>([...usageClassNames, 'call'])
const nameOf = (t: T, { kind, side }: Receipt['items'][number]): string => {
  if (side !== 'tool') return classes.has(kind) ? t(`usage.classes.${kind}`) : kind
  return toolName(t, kind)
}

/** Groups the thousands of an exact decimal text and keeps all decimal places. */
const grouped = (exact: string): string =>
  formatNumber(exact as `${number}`, { maximumFractionDigits: 100 })

const Result = ({ receipt }: { receipt: Receipt }) => {
  const t = useT()
  const { charged, cost, shortfall, group_ratio, postings } = receipt
  const saved = savedPercent({ groupRatio: decimal(group_ratio) })
  const points = (amount: number) => usd(usdOfPoints(decimal(amount)))
  return (
    <Step title={t('logs.steps.result')}>
      <Line
        strong
        label={t('logs.steps.actualCost')}
        value={
          <Box component="span" sx={{ display: 'inline-flex', gap: 1, alignItems: 'center' }}>
            {saved > 0 && <Badge tone="green" text={t('logs.steps.saved', { percent: saved })} />}
            <span>
              <Quota value={charged} exact /> · {t('logs.points', { value: formatCount(charged) })}
            </span>
          </Box>
        }
      />
      {shortfall > 0 && (
        <Alert severity="info" variant="outlined" sx={{ mt: 1 }}>
          {t('logs.notes.shortfall', { computed: points(cost), charged: points(charged) })}
        </Alert>
      )}
      {receipt.finish === 'lost' && charged < cost && (
        <Alert severity="info" variant="outlined" sx={{ mt: 1 }}>
          {t('logs.receipt.lost')}
        </Alert>
      )}
      {postings.length > 1 &&
        postings.map(({ kind, at, amount }) => (
          <Line
            key={kind}
            label={
              <>
                {t(`logs.receipt.${kind}`)}, <Timestamp at={at} />
              </>
            }
            value={t('logs.points', { value: formatCount(amount) })}
          />
        ))}
      <Typography variant="caption" component="p" sx={{ color: 'text.secondary', mt: 1 }}>
        {t('logs.steps.rounding')}
      </Typography>
    </Step>
  )
}
