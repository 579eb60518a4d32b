import type { OpenedInvoice } from '@hub/contract'
import type { App } from '../../core/app.ts'
import { invoiceCsv } from './csv.ts'
import { drawPdf } from './pdf/index.ts'
import { type InvoiceLanguage, invoiceTexts } from './texts.ts'

/** The same document gives the same bytes in each language. */
export const invoiceFile = async (
  app: App,
  { document, sha256, created_time }: OpenedInvoice,
  format: 'pdf' | 'csv',
  language: InvoiceLanguage,
) => {
  const name = `invoice-${document.number}.${format}`
  if (format === 'csv') {
    const content = Buffer.from(invoiceCsv(document, invoiceTexts[language]))
    return { name, type: 'text/csv; charset=utf-8', content }
  }
  const content = await drawPdf(app, { document, sha256, createdAt: created_time, language })
  return { name, type: 'application/pdf', content }
}
