import type { InvoiceDocument, InvoiceLine, OpenedInvoice } from '@hub/contract'
import Box from '@mui/material/Box'
import Table from '@mui/material/Table'
import TableBody from '@mui/material/TableBody'
import TableCell from '@mui/material/TableCell'
import TableHead from '@mui/material/TableHead'
import TableRow from '@mui/material/TableRow'
import Typography from '@mui/material/Typography'
import { formatCount, formatFixed, formatTime, MonoText, useT } from '../../ui/index.ts'
import { formatUsd } from '../../ui/values/format.ts'
import { sumByModel } from './sums.ts'
import { InvoiceStatus } from './values.tsx'

/** The invoice as it is printed: header, sums by model, lines by day and model. */
export const InvoiceSheet = ({ opened }: { opened: OpenedInvoice }) => {
  const t = useT()
  const { document, sha256 } = opened
  return (
    <Box
      id="invoice"
      component="article"
      sx={{
        bgcolor: 'background.paper',
        border: '1px solid',
        borderColor: 'divider',
        borderRadius: '12px',
        p: { xs: 2, sm: 4 },
      }}
    >
      <InvoiceHeader opened={opened} />
      <Lines
        title={t('invoices.byModel')}
        document={document}
        lines={sumByModel(document.lines)}
        hasDates={false}
      />
      <Lines title={t('invoices.byDay')} document={document} lines={document.lines} hasDates />
      <Typography variant="caption" component="p" sx={{ color: 'text.secondary', mt: 3 }}>
        {t('invoices.frozen', {
          time: formatTime(opened.created_time),
          zone: document.time_zone,
        })}{' '}
        <Box
          component="span"
          sx={{ overflowWrap: 'anywhere', '& .MuiBox-root': { whiteSpace: 'normal' } }}
        >
          SHA-256 <MonoText text={sha256} />
        </Box>
      </Typography>
    </Box>
  )
}

const InvoiceHeader = ({ opened: { invoice, document } }: { opened: OpenedInvoice }) => {
  const t = useT()
  const { user } = document
  const facts = [
    ['number', document.number],
    ['month', document.date.slice(0, 7)],
    ['username', user.username],
    ['displayName', user.display_name],
    ['email', user.email],
  ].filter(([, value]) => value)
  return (
    <>
      <Box sx={{ display: 'flex', justifyContent: 'space-between', gap: 2, flexWrap: 'wrap' }}>
        <Box>
          <Typography variant="body2" sx={{ color: 'text.secondary' }}>
            {document.system_name}
          </Typography>
          <Typography variant="h2" component="p">
            {t('invoices.bill')}
          </Typography>
        </Box>
        <Box sx={{ textAlign: { xs: 'left', sm: 'right' } }}>
          <Typography
            sx={{ fontSize: 28, fontWeight: 600, fontVariantNumeric: 'tabular-nums' }}
            component="p"
          >
            {formatUsd(document.amount, 6)}
          </Typography>
          <InvoiceStatus invoice={invoice} />
        </Box>
      </Box>
      <Box
        component="dl"
        sx={{
          display: 'grid',
          gridTemplateColumns: 'max-content 1fr',
          columnGap: 3,
          rowGap: 0.5,
          fontSize: 13,
          '& dt': { color: 'text.secondary' },
          '& dd': { m: 0, overflowWrap: 'anywhere' },
        }}
      >
        {facts.map(([key = '', value]) => [
          <dt key={`${key}-label`}>{t(`invoices.facts.${key}`)}</dt>,
          <dd key={key}>{value}</dd>,
        ])}
      </Box>
    </>
  )
}

type LinesProps = {
  title: string
  document: InvoiceDocument
  lines: readonly Omit<InvoiceLine, 'date'>[]
  hasDates: boolean
}

type Figures = InvoiceDocument['total']

const figures: [name: string, format: (sum: Figures) => string][] = [
  ['prompt_tokens', sum => formatCount(sum.prompt_tokens)],
  ['completion_tokens', sum => formatCount(sum.completion_tokens)],
  ['request_count', sum => formatCount(sum.request_count)],
  ['request_time', sum => formatFixed(sum.request_time / 1000, 2)],
]

const cellPadding = { px: { xs: 0, sm: 1 } }

/** Phones show the figures below the name of the model, and only the amount in a column. Paper is wide. */
const onlyWide = { display: { xs: 'none', sm: 'table-cell' } }
const onlyNarrow = { display: { xs: 'block', sm: 'none' }, color: 'text.secondary' }

const Lines = ({ title, document, lines, hasDates }: LinesProps) => {
  const t = useT()
  const { total, quota_per_unit } = document
  return (
    <>
      <Typography variant="h3" component="h2" sx={{ mt: 3, mb: 1 }}>
        {title}
      </Typography>
      <Box sx={{ overflowX: 'auto' }} tabIndex={0} role="region" aria-label={title}>
        <Table size="small" sx={{ '& .MuiTableCell-root.MuiTableCell-root': cellPadding }}>
          <TableHead>
            <TableRow>
              {hasDates && <TableCell sx={onlyWide}>{t('invoices.day')}</TableCell>}
              <TableCell>{t('invoices.model')}</TableCell>
              {figures.map(([name]) => (
                <TableCell key={name} align="right" sx={{ ...onlyWide, whiteSpace: 'nowrap' }}>
                  {t(`invoices.fields.${name}`)}
                </TableCell>
              ))}
              <TableCell align="right" sx={{ whiteSpace: 'nowrap' }}>
                {t('invoices.fields.quota')}
              </TableCell>
            </TableRow>
          </TableHead>
          <TableBody>
            {lines.map(line => (
              <Line
                key={`${'date' in line ? line.date : ''} ${line.model_name}`}
                name={line.model_name || t('invoices.unknownModel')}
                date={hasDates && 'date' in line ? String(line.date) : undefined}
                sum={line}
                quotaPerUnit={quota_per_unit}
              />
            ))}
            <Line
              name={t('invoices.total')}
              date={hasDates ? '' : undefined}
              sum={total}
              quotaPerUnit={quota_per_unit}
              isTotal
            />
          </TableBody>
        </Table>
      </Box>
    </>
  )
}

type LineProps = {
  name: string
  /** Undefined: the table has no column of days. */
  date: string | undefined
  sum: Figures
  quotaPerUnit: number
  isTotal?: boolean
}

const Line = ({ name, date, sum, quotaPerUnit, isTotal = false }: LineProps) => {
  const t = useT()
  const values = figures.map(([key, format]) => ({ key, text: format(sum) }))
  const labelled = values.map(({ key, text }) => `${t(`invoices.fields.${key}`)} ${text}`)
  const number = { whiteSpace: 'nowrap', fontVariantNumeric: 'tabular-nums' }
  return (
    <TableRow sx={isTotal ? { '& td': { fontWeight: 600, borderBottom: 0 } } : {}}>
      {date !== undefined && (
        <TableCell sx={{ ...onlyWide, whiteSpace: 'nowrap' }}>{date}</TableCell>
      )}
      <TableCell sx={{ overflowWrap: 'anywhere' }}>
        {name}
        <Typography variant="caption" sx={onlyNarrow}>
          {[date, ...labelled].filter(Boolean).join(' · ')}
        </Typography>
      </TableCell>
      {values.map(({ key, text }) => (
        <TableCell key={key} align="right" sx={{ ...onlyWide, ...number }}>
          {text}
        </TableCell>
      ))}
      <TableCell align="right" sx={{ ...number, verticalAlign: { xs: 'top', sm: 'inherit' } }}>
        {formatUsd(sum.quota / quotaPerUnit, 6)}
      </TableCell>
    </TableRow>
  )
}
