import BackIcon from 'virtual:icons/arrow-back'
import DownloadIcon from 'virtual:icons/file-download'
import PrintIcon from 'virtual:icons/print'
import type { OpenedInvoice } from '@hub/contract'
import Button from '@mui/material/Button'
import GlobalStyles from '@mui/material/GlobalStyles'
import Skeleton from '@mui/material/Skeleton'
import Stack from '@mui/material/Stack'
import { useQuery } from '@tanstack/react-query'
import i18next from 'i18next'
import { Link, useParams } from 'react-router'
import { api, isAdmin, query, useUser } from '../../api/index.ts'
import { ConfirmButton, ErrorState, Page, useAction, useAddress, useT } from '../../ui/index.ts'
import { InvoiceSheet } from './sheet.tsx'

/** Only the invoice is printed, also what shows itself by a class of its own; in black on white in both themes. */
const printStyles = {
  '@media print': {
    'body *': { visibility: 'hidden !important' },
    'html, body, #invoice': { backgroundColor: '#fff !important' },
    '#invoice, #invoice *': {
      visibility: 'visible !important',
      color: '#000 !important',
      borderColor: '#ccc !important',
    },
    '#invoice': { position: 'absolute', inset: '0 0 auto 0', border: 0 },
    '@page': { margin: '14mm' },
  },
}

/** One invoice of the caller, or with `?id=` one of any user for administrators. */
export const InvoicePage = () => {
  const t = useT()
  const { date = '' } = useParams()
  const [params] = useAddress()
  const isStaff = isAdmin(useUser())
  const id = isStaff ? Number(params.get('id') ?? 0) : 0
  const own = useQuery({ ...query(api.invoices.ownDocument, { date }), enabled: id === 0 })
  const other = useQuery({ ...query(api.invoices.document, { id }), enabled: id > 0 })
  const { data, error, refetch } = id > 0 ? other : own
  return (
    <Page
      title={t('invoices.titleOf', { month: date.slice(0, 7) })}
      actions={
        <Stack direction="row" sx={{ gap: 1, flexWrap: 'wrap' }}>
          <Button
            component={Link}
            to={id > 0 ? '/panel/invoice?view=all' : '/panel/invoice'}
            color="inherit"
            startIcon={<BackIcon />}
          >
            {t('common.back')}
          </Button>
          {data && <FileButtons date={date} id={id} />}
          {data && isStaff && data.invoice.status === 'unpaid' && <PayButton opened={data} />}
        </Stack>
      }
      width={960}
    >
      <GlobalStyles styles={printStyles} />
      {error && <ErrorState error={error} retry={() => void refetch()} />}
      {data ? (
        <InvoiceSheet opened={data} />
      ) : (
        !error && <Skeleton variant="rounded" height={480} />
      )}
    </Page>
  )
}

/** Links, so that the browser stores the file under its name. */
const FileButtons = ({ date, id }: { date: string; id: number }) => {
  const t = useT()
  const base = id > 0 ? `/api/invoice/${id}/file?` : `/api/user/invoice/file?date=${date}&`
  const button = { variant: 'outlined', color: 'inherit' } as const
  return (
    <>
      <Button {...button} startIcon={<PrintIcon />} onClick={() => window.print()}>
        {t('invoices.print')}
      </Button>
      {(['pdf', 'csv'] as const).map(format => (
        <Button
          key={format}
          {...button}
          startIcon={<DownloadIcon />}
          href={`${base}format=${format}&language=${i18next.language}`}
          download
        >
          {format.toUpperCase()}
        </Button>
      ))}
    </>
  )
}

const PayButton = ({ opened: { invoice } }: { opened: OpenedInvoice }) => {
  const t = useT()
  const pay = useAction('invoices', () => api.invoices.pay({ id: invoice.id }), {
    successKey: 'invoices.paidNow',
  })
  return (
    <ConfirmButton
      variant="contained"
      danger={false}
      title={t('invoices.pay.title', { name: invoice.name })}
      text={t('invoices.pay.text')}
      confirmLabel={t('invoices.pay.action')}
      onConfirm={() => pay(undefined)}
    >
      {t('invoices.pay.action')}
    </ConfirmButton>
  )
}
