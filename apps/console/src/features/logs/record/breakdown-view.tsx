import { isPriceMode, type Log } from '@hub/contract'
import Alert from '@mui/material/Alert'
import Box from '@mui/material/Box'
import Stack from '@mui/material/Stack'
import Typography from '@mui/material/Typography'
import type { ReactNode } from 'react'
import {
  compare,
  type Decimal,
  decimal,
  significant,
  times,
  writeDecimal,
} from '../../../domain/decimal.ts'
import { Badge, formatCount, mono, type T, useT } from '../../../ui/index.ts'
import {
  type Breakdown,
  breakdownOf,
  type Side,
  savedPercent,
  usdOfPoints,
  usdOfRatio,
} from './breakdown.ts'

const usd = (amount: Decimal) => `$${significant(amount)}`
const points = (amount: bigint) => usdOfPoints(decimal(amount))

/** The calculation of a charge, step by step, from the log entry alone. */
export const BreakdownView = ({ log }: { log: Log }) => {
  const t = useT()
  const breakdown = breakdownOf(log)
  if (!breakdown) return null
  const { priceType, groupName, groupRatio, input, output } = breakdown
  const priceRows = (ratio: Decimal) =>
    priceType === 'times' ? (
      <Line label={t('logs.steps.call')} value={usd(usdOfRatio(times(input, ratio), priceType))} />
    ) : (
      <>
        <Line
          label={t('logs.steps.input')}
          value={`${usd(usdOfRatio(times(input, ratio), priceType))} / 1M`}
        />
        <Line
          label={t('logs.steps.output')}
          value={`${usd(usdOfRatio(times(output, ratio), priceType))} / 1M`}
        />
      </>
    )
  return (
    <Stack spacing={2}>
      <Typography variant="h3">{t('logs.steps.title')}</Typography>
      <Step title={t('logs.steps.original')}>
        {priceRows(decimal(1))}
        {breakdown.modes.map(([mode, ratio]) => (
          <Line key={mode} label={modeName(t, mode)} value={`× ${writeDecimal(ratio)}`} />
        ))}
      </Step>
      <Step title={t('logs.steps.group')}>
        <Line label={groupName || '–'} value={`× ${writeDecimal(groupRatio)}`} />
      </Step>
      <Step title={t('logs.steps.actual')}>{priceRows(groupRatio)}</Step>
      <Step title={t('logs.steps.calculation')}>
        {priceType === 'tokens' && (
          <>
            <SideTokens {...{ breakdown, log }} side="input" />
            <SideTokens {...{ breakdown, log }} side="output" />
          </>
        )}
        <Formula breakdown={breakdown} />
      </Step>
      <Result log={log} breakdown={breakdown} />
    </Stack>
  )
}

export const Step = ({ title, children }: { title: string; children: ReactNode }) => (
  <Box>
    <Typography
      variant="caption"
      component="h4"
      sx={{ color: 'text.secondary', fontWeight: 500, mb: 0.5 }}
    >
      {title}
    </Typography>
    {children}
  </Box>
)

export const Line = ({
  label,
  value,
  strong = false,
}: {
  label: ReactNode
  value: ReactNode
  strong?: boolean
}) => (
  <Stack
    direction="row"
    spacing={2}
    sx={{ justifyContent: 'space-between', fontSize: 13, py: 0.25, fontWeight: strong ? 600 : 400 }}
  >
    <span>{label}</span>
    <Box component="span" sx={{ textAlign: 'right', whiteSpace: 'nowrap' }}>
      {value}
    </Box>
  </Stack>
)

/** A provider's answer may name a tier that has no name here. */
export const modeName = (t: T, mode: string): string =>
  isPriceMode(mode) ? t(`usage.keys.${mode}`) : mode

/** The tokens of one side, with the adjustments for token types that have their own ratio. */
const SideTokens = ({ breakdown, log, side }: { breakdown: Breakdown; log: Log; side: Side }) => {
  const t = useT()
  const parts = breakdown.parts.filter(part => part.side === side)
  const count = side === 'input' ? log.prompt_tokens : log.completion_tokens
  const total = side === 'input' ? breakdown.inputTokens : breakdown.outputTokens
  return (
    <>
      <Line label={t(`logs.steps.${side}Tokens`)} value={formatCount(count)} />
      {parts.map(part => (
        <Line
          key={part.kind}
          label={
            <Box component="span" sx={{ pl: 1.5, color: 'text.secondary' }}>
              {t(`usage.keys.${part.kind}`)}: {formatCount(part.count)} × (
              {writeDecimal(part.ratio)} − 1)
            </Box>
          }
          value={`${part.extra.units >= 0n ? '+' : ''}${writeDecimal(part.extra)}`}
        />
      ))}
      {parts.length > 0 && (
        <Line label={t('logs.steps.charged')} value={writeDecimal(total)} strong />
      )}
    </>
  )
}

const Formula = ({ breakdown }: { breakdown: Breakdown }) => {
  const { priceType, input, output, groupRatio, inputTokens, outputTokens } = breakdown
  const price = (ratio: Decimal) => usd(usdOfRatio(times(ratio, groupRatio), priceType))
  const text =
    priceType === 'times'
      ? price(input)
      : `(${writeDecimal(inputTokens)} ÷ 1M × ${price(input)}) + (${writeDecimal(outputTokens)} ÷ 1M × ${price(output)})`
  return (
    <Box
      sx={{
        fontFamily: mono,
        fontSize: 12,
        mt: 1,
        p: 1.25,
        borderRadius: '8px',
        bgcolor: 'background.default',
        overflowWrap: 'anywhere',
      }}
    >
      {text} = {usd(usdOfPoints(breakdown.actual))}
    </Box>
  )
}

const Result = ({ log, breakdown }: { log: Log; breakdown: Breakdown }) => {
  const t = useT()
  const saved = savedPercent(breakdown)
  const { original, computed, charged } = breakdown
  const isDiscounted = compare(breakdown.groupRatio, decimal(1)) !== 0
  const key = explanationKeyOf(log, breakdown)
  return (
    <Step title={t('logs.steps.result')}>
      {isDiscounted && (
        <Line label={t('logs.steps.originalCost')} value={<s>{usd(usdOfPoints(original))}</s>} />
      )}
      <Line
        strong
        label={t('logs.steps.actualCost')}
        value={
          <Box component="span" sx={{ display: 'inline-flex', gap: 1, alignItems: 'center' }}>
            {saved > 0 && <Badge tone="green" text={t('logs.steps.saved', { percent: saved })} />}
            {`${usd(points(charged))} · ${t('logs.points', { value: formatCount(Number(charged)) })}`}
          </Box>
        }
      />
      {key && (
        <Alert severity="info" variant="outlined" sx={{ mt: 1 }}>
          {t(key, { computed: usd(points(computed)), charged: usd(points(charged)) })}
        </Alert>
      )}
      <Typography variant="caption" component="p" sx={{ color: 'text.secondary', mt: 1 }}>
        {t('logs.steps.rounding')}
      </Typography>
    </Step>
  )
}

/** The key of an explanation why the charge differs from the calculated sum. */
const explanationKeyOf = (log: Log, { computed, charged }: Breakdown): string | undefined => {
  if (charged === computed || (computed === 0n && charged === 1n)) return undefined
  if (charged < computed) return 'logs.notes.shortfall'
  return log.metadata.tools ? 'logs.notes.tools' : 'logs.notes.more'
}
