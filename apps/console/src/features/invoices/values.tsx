import type { Invoice } from '@hub/contract'
import Tooltip from '@mui/material/Tooltip'
import { Badge, formatCount, formatFixed, formatOptionalTime } from '../../ui/index.ts'

export const Count = ({ value }: { value: number }) => <span>{formatCount(value)}</span>

/** Seconds, as the columns of invoices say. */
export const Duration = ({ milliseconds }: { milliseconds: number }) => (
  <span>{formatFixed(milliseconds / 1000, 2)}</span>
)

export const InvoiceStatus = ({ invoice }: { invoice: Invoice }) => (
  <Tooltip title={formatOptionalTime(invoice.paid_time)}>
    <span>
      <Badge
        tone={invoice.status === 'paid' ? 'green' : 'amber'}
        labelKey={`invoices.status.${invoice.status}`}
      />
    </span>
  </Tooltip>
)
