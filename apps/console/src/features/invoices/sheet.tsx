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
        SHA-256 <MonoText text={sha256} />
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
        <Box sx={{ textAlign: 'right' }}>
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

const Lines = ({ title, document, lines, hasDates }: LinesProps) => {
  const t = useT()
  const { total, quota_per_unit } = document
  const names = ['prompt_tokens', 'completion_tokens', 'request_count', 'request_time', 'quota']
  return (
    <>
      <Typography variant="h3" component="h2" sx={{ mt: 3, mb: 1 }}>
        {title}
      </Typography>
      <Box sx={{ overflowX: 'auto' }} tabIndex={0} role="region" aria-label={title}>
        <Table size="small" sx={{ '& td, & th': { px: 1, whiteSpace: 'nowrap' } }}>
          <TableHead>
            <TableRow>
              {hasDates && <TableCell>{t('invoices.day')}</TableCell>}
              <TableCell>{t('invoices.model')}</TableCell>
              {names.map(name => (
                <TableCell key={name} align="right">
                  {t(`invoices.fields.${name}`)}
                </TableCell>
              ))}
            </TableRow>
          </TableHead>
          <TableBody>
            {lines.map(line => (
              <TableRow key={`${'date' in line ? line.date : ''} ${line.model_name}`}>
                {hasDates && <TableCell>{'date' in line ? String(line.date) : ''}</TableCell>}
                <TableCell>{line.model_name || t('invoices.unknownModel')}</TableCell>
                <Figures sum={line} quotaPerUnit={quota_per_unit} />
              </TableRow>
            ))}
            <TableRow sx={{ '& td': { fontWeight: 600, borderBottom: 0 } }}>
              {hasDates && <TableCell />}
              <TableCell>{t('invoices.total')}</TableCell>
              <Figures sum={total} quotaPerUnit={quota_per_unit} />
            </TableRow>
          </TableBody>
        </Table>
      </Box>
    </>
  )
}

const Figures = ({
  sum,
  quotaPerUnit,
}: {
  sum: InvoiceDocument['total']
  quotaPerUnit: number
}) => (
  <>
    {[
      formatCount(sum.prompt_tokens),
      formatCount(sum.completion_tokens),
      formatCount(sum.request_count),
      formatFixed(sum.request_time / 1000, 2),
      formatUsd(sum.quota / quotaPerUnit, 6),
    ].map((text, at) => (
      // The cells of a row never change their order.
      // biome-ignore lint/suspicious/noArrayIndexKey: see above.
      <TableCell key={at} align="right" sx={{ fontVariantNumeric: 'tabular-nums' }}>
        {text}
      </TableCell>
    ))}
  </>
)
