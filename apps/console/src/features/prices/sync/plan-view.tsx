import type { Price, PriceChange, PricePlan } from '@hub/contract'
import Alert from '@mui/material/Alert'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Stack from '@mui/material/Stack'
import Table from '@mui/material/Table'
import TableBody from '@mui/material/TableBody'
import TableCell from '@mui/material/TableCell'
import TableHead from '@mui/material/TableHead'
import TableRow from '@mui/material/TableRow'
import Typography from '@mui/material/Typography'
import { type ReactNode, useState } from 'react'
import { ModelName, type PriceView } from '../../../domain/index.ts'
import { Badge, formatPercent, type Tone, useT } from '../../../ui/index.ts'
import { BeforeAfter } from '../../../ui/values/before-after.tsx'
import { Amount, Extras } from '../columns.tsx'
import { isLargeChange } from './large-change.ts'

const initialRows = 100
const kinds = ['add', 'change', 'remove'] as const
const tones: Record<PriceChange['kind'], Tone> = { add: 'green', change: 'blue', remove: 'red' }

/** The planned changes with the old price, the new price and the difference in percent. */
export const PlanView = ({ plan, view }: { plan: PricePlan; view: PriceView }) => {
  const t = useT()
  const [isExpanded, setIsExpanded] = useState(false)
  const shown = isExpanded ? plan.changes : plan.changes.slice(0, initialRows)
  const hiddenCount = plan.changes.length - shown.length
  return (
    <Stack spacing={1.5}>
      <Stack direction="row" sx={{ flexWrap: 'wrap', gap: 1 }} aria-live="polite">
        {kinds.map(kind => (
          <Badge
            key={kind}
            tone={tones[kind]}
            text={t(`prices.sync.counts.${kind}`, {
              count: plan.changes.filter(each => each.kind === kind).length,
            })}
          />
        ))}
        <Badge text={t('prices.sync.counts.unchanged', { count: plan.unchanged })} />
      </Stack>
      {plan.locked.length > 0 && (
        <Typography variant="body2" sx={{ color: 'text.secondary', overflowWrap: 'anywhere' }}>
          {t('prices.sync.locked', { models: plan.locked.join(', ') })}
        </Typography>
      )}
      {plan.free.length > 0 && (
        <Alert severity="warning" variant="outlined" sx={{ overflowWrap: 'anywhere' }}>
          {t('prices.sync.free', { count: plan.free.length, models: plan.free.join(', ') })}
        </Alert>
      )}
      {plan.changes.length === 0 ? (
        <Typography sx={{ py: 3, textAlign: 'center', color: 'text.secondary' }}>
          {t('prices.sync.nothing')}
        </Typography>
      ) : (
        <Changes changes={shown} view={view} />
      )}
      {hiddenCount > 0 && (
        <Button color="inherit" onClick={() => setIsExpanded(true)}>
          {t('prices.sync.more', { count: hiddenCount })}
        </Button>
      )}
    </Stack>
  )
}

const wide = { display: { xs: 'none', sm: 'table-cell' } }
const narrow = { display: { xs: 'table-cell', sm: 'none' } }

const Changes = ({ changes, view }: { changes: PriceChange[]; view: PriceView }) => {
  const t = useT()
  return (
    <Box
      tabIndex={0}
      role="region"
      aria-label={t('prices.sync.title')}
      sx={{
        overflow: 'auto',
        maxHeight: 420,
        border: '1px solid',
        borderColor: 'divider',
        borderRadius: 1,
      }}
    >
      <Table size="small" stickyHeader>
        <TableHead>
          <TableRow>
            <TableCell>{t('prices.sync.fields.model')}</TableCell>
            <TableCell align="right" sx={wide}>
              {t('prices.sync.fields.input')}
            </TableCell>
            <TableCell align="right" sx={wide}>
              {t('prices.sync.fields.output')}
            </TableCell>
            <TableCell sx={wide}>{t('prices.sync.fields.other')}</TableCell>
            <TableCell align="right" sx={narrow}>
              {t('prices.fields.price')}
            </TableCell>
          </TableRow>
        </TableHead>
        <TableBody>
          {changes.map(change => (
            <Change key={change.model} {...{ change, view }} />
          ))}
        </TableBody>
      </Table>
    </Box>
  )
}

/** Phones show both prices in one cell and the other parts below the name. */
const Change = ({ change, view }: { change: PriceChange; view: PriceView }) => {
  const input = <AmountChange {...{ change, view }} side="input" percent={change.input_percent} />
  const output = (
    <AmountChange {...{ change, view }} side="output" percent={change.output_percent} />
  )
  const { before, after } = change
  const hasOther = before && after ? hasOtherChanges(before, after) : true
  return (
    <TableRow sx={isLargeChange(change) ? { bgcolor: 'var(--mui-palette-action-hover)' } : {}}>
      <TableCell>
        <Stack spacing={0.5} sx={{ alignItems: 'flex-start' }}>
          <Box component="span" sx={{ fontWeight: 500, overflowWrap: 'anywhere' }}>
            <ModelName name={change.model} />
          </Box>
          <Badge tone={tones[change.kind]} labelKey={`prices.sync.kinds.${change.kind}`} />
          {hasOther && (
            <Box sx={{ display: { sm: 'none' } }}>
              <OtherParts {...{ change, view }} />
            </Box>
          )}
        </Stack>
      </TableCell>
      <TableCell align="right" sx={wide}>
        {input}
      </TableCell>
      <TableCell align="right" sx={wide}>
        {output}
      </TableCell>
      <TableCell sx={wide}>
        {hasOther ? <OtherParts {...{ change, view }} /> : <Box component="span">–</Box>}
      </TableCell>
      <TableCell align="right" sx={narrow}>
        <Stack spacing={1}>
          <LabelledAmount name="input">{input}</LabelledAmount>
          {(after ?? before)?.type === 'tokens' && (
            <LabelledAmount name="output">{output}</LabelledAmount>
          )}
        </Stack>
      </TableCell>
    </TableRow>
  )
}

const LabelledAmount = ({ name, children }: { name: 'input' | 'output'; children: ReactNode }) => {
  const t = useT()
  return (
    <div>
      <Box component="span" sx={{ color: 'text.secondary', fontSize: 12 }}>
        {t(`prices.sync.fields.${name}`)}
      </Box>
      {children}
    </div>
  )
}

type AmountChangeProps = {
  change: PriceChange
  side: 'input' | 'output'
  percent: number | null
  view: PriceView
}

const AmountChange = ({ change: { before, after }, side, percent, view }: AmountChangeProps) => {
  // A price per call has no output price.
  if (
    side === 'output' &&
    (before ?? after)?.type === 'times' &&
    (after ?? before)?.type === 'times'
  )
    return <>–</>
  const isSame = before && after && before[side] === after[side] && before.type === after.type
  return (
    <Stack spacing={0.25} sx={{ alignItems: 'flex-end' }}>
      {before && !isSame && (
        <Box component="s" sx={{ color: 'text.secondary' }}>
          <Amount price={before} side={side} view={view} />
        </Box>
      )}
      {after && <Amount price={after} side={side} view={view} />}
      {percent !== null && percent !== 0 && (
        <Badge
          tone={percent > 0 ? 'amber' : 'green'}
          text={formatPercent(percent, { signed: true })}
        />
      )}
      {before && after && !isSame && before.type === after.type && (
        <Box sx={{ width: 88, pt: 0.25 }}>
          <BeforeAfter
            before={before[side]}
            after={after[side]}
            max={Math.max(before[side], after[side])}
          />
        </Box>
      )}
    </Stack>
  )
}

const parts = ['channel_type', 'type', 'locked', 'extra_ratios', 'tiers', 'tool_prices'] as const

const hasOtherChanges = (before: Price, after: Price) =>
  parts.some(part => JSON.stringify(before[part]) !== JSON.stringify(after[part]))

/** Ratios, tiers and tool prices; old values are struck through. */
const OtherParts = ({
  change: { before, after },
  view,
}: {
  change: PriceChange
  view: PriceView
}) => {
  const t = useT()
  return (
    <Stack spacing={0.25}>
      {before && (
        <Box component="s" sx={{ color: 'text.secondary' }}>
          <Extras price={before} view={view} />
        </Box>
      )}
      {after && <Extras price={after} view={view} />}
      {after && before && after.type !== before.type && t(`prices.options.type.${after.type}`)}
    </Stack>
  )
}
