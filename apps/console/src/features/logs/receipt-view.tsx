import type { Log, Receipt } from '@hub/contract'
import Alert from '@mui/material/Alert'
import Box from '@mui/material/Box'
import Skeleton from '@mui/material/Skeleton'
import Stack from '@mui/material/Stack'
import Typography from '@mui/material/Typography'
import { useQuery } from '@tanstack/react-query'
import { api, query } from '../../api/index.ts'
import {
  compare,
  type Decimal,
  decimal,
  significant,
  times,
  writeDecimal,
} from '../../ui/decimal.ts'
import { Badge, formatCount, mono, Quota, type T, useT, When } from '../../ui/index.ts'
import { savedPercent, usdOfPoints, usdOfRatio } from './breakdown.ts'
import { BreakdownView, Line, Step } from './breakdown-view.tsx'

/** How a charge came to be: from the ledger's receipt, or from what the row says where it has none. */
export const ReceiptView = ({ log }: { log: Log }) => {
  const { data, isPending } = useQuery({
    ...query(api.logs.receipt, { id: log.id }),
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
  })
  if (isPending) return <Skeleton variant="rounded" height={320} sx={{ mt: 3 }} />
  if (!data) return <BreakdownView log={log} />
  return <Bill receipt={data} groupName={String(log.metadata.group_name ?? '')} />
}

const usd = (amount: Decimal) => `$${significant(amount)}`

const Bill = ({ receipt, groupName }: { receipt: Receipt; groupName: string }) => {
  const t = useT()
  const { items, sum, version } = receipt
  const ratio = decimal(receipt.group_ratio)
  return (
    <Stack spacing={2} sx={{ mt: 3 }}>
      <Typography variant="h3">{t('logs.steps.title')}</Typography>
      <Step title={t('logs.steps.original')}>
        <Prices receipt={receipt} ratio={decimal(1)} />
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
        <Stack spacing={1}>
          {items.map(item => (
            <Item key={item.kind} item={item} ratio={receipt.group_ratio} />
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
      <Result receipt={receipt} />
      <Typography variant="caption" component="p" sx={{ color: 'text.secondary' }}>
        {t('logs.receipt.version', { id: version.id })}
        {version.since !== null && (
          <>
            {t('logs.receipt.since')} <When at={version.since} />
          </>
        )}
      </Typography>
    </Stack>
  )
}

const Prices = ({ receipt, ratio }: { receipt: Receipt; ratio: Decimal }) => {
  const t = useT()
  const price = (of: string) => usd(usdOfRatio(times(decimal(of), ratio), receipt.type))
  if (receipt.type === 'times')
    return <Line label={t('logs.steps.call')} value={price(receipt.input)} />
  return (
    <>
      <Line label={t('logs.steps.input')} value={`${price(receipt.input)} / 1M`} />
      <Line label={t('logs.steps.output')} value={`${price(receipt.output)} / 1M`} />
    </>
  )
}

type ItemProps = { item: Receipt['items'][number]; ratio: string }

/** One class that was used: its name and what it came to, and below them how. */
const Item = ({ item, ratio }: ItemProps) => {
  const t = useT()
  const factors = [item.price, item.ratio, ratio].filter((each, at) => at === 0 || each !== '1')
  return (
    <Box>
      <Line label={nameOf(t, item)} value={t('logs.points', { value: grouped(item.points) })} />
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

const classes = new Set([
  ...['input', 'cacheRead', 'cacheWrite5m', 'cacheWrite1h', 'audioInput', 'imageInput'],
  ...['output', 'reasoning', 'audioOutput', 'imageOutput', 'call'],
])
const tools = new Set(['web_search', 'web_search_preview', 'file_search', 'code_interpreter'])

const nameOf = (t: T, { kind, side }: Receipt['items'][number]): string => {
  if (side !== 'tool') return classes.has(kind) ? t(`logs.classes.${kind}`) : kind
  const [tool = '', size] = kind.split(':')
  if (tools.has(tool)) return t(`logs.tools.${tool}`)
  return size ? t('logs.tools.image', { size }) : kind
}

/** Thousands apart in the whole part; no digit of the rest is left out. */
const grouped = (exact: string): string => {
  const [whole = '0', part] = exact.split('.')
  return `${BigInt(whole).toLocaleString('en-US')}${part ? `.${part}` : ''}`
}

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
                {t(`logs.receipt.${kind}`)}, <When at={at} />
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
