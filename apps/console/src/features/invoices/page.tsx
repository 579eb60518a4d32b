import type { Invoice } from '@hub/contract'
import Button from '@mui/material/Button'
import ToggleButton from '@mui/material/ToggleButton'
import ToggleButtonGroup from '@mui/material/ToggleButtonGroup'
import { Link } from 'react-router'
import { api, type Call, isAdmin, isRoot, useUser } from '../../api/index.ts'
import {
  type Column,
  DataTable,
  OneLine,
  Page,
  Timestamp,
  useAddress,
  useT,
} from '../../ui/index.ts'
import { Amount } from '../../ui/values/amount.tsx'
import { formatUsd } from '../../ui/values/format.ts'
import { GenerateMenu } from './generate.tsx'
import { Count, Duration, InvoiceStatus } from './values.tsx'

const views = ['mine', 'all'] as const
type View = (typeof views)[number]

const OpenButton = ({ invoice, view }: { invoice: Invoice; view: View }) => {
  const t = useT()
  const query = view === 'all' ? `?id=${invoice.id}` : ''
  return (
    <Button
      component={Link}
      to={`/panel/invoice/detail/${invoice.date}${query}`}
      size="small"
      onClick={event => event.stopPropagation()}
    >
      {t('invoices.view')}
    </Button>
  )
}

const columnsOf = (view: View): Column<Invoice>[] => [
  {
    key: 'date',
    emphasized: true,
    render: invoice => <OneLine>{invoice.date.slice(0, 7)}</OneLine>,
  },
  { key: 'name', hidden: true },
  ...(view === 'all'
    ? [{ key: 'user_id', render: (row: Invoice) => `${row.username} (${row.user_id})` }]
    : []),
  { key: 'status', render: invoice => <InvoiceStatus invoice={invoice} /> },
  {
    key: 'quota',
    align: 'right',
    render: invoice => <Amount text={formatUsd(invoice.amount, 6)} />,
    amount: invoice => formatUsd(invoice.amount, 6),
  },
  {
    key: 'tokens',
    align: 'right',
    render: invoice => (
      <>
        <Count value={invoice.prompt_tokens} /> / <Count value={invoice.completion_tokens} />
      </>
    ),
  },
  {
    key: 'request_count',
    align: 'right',
    render: invoice => <Count value={invoice.request_count} />,
  },
  {
    key: 'request_time',
    align: 'right',
    render: invoice => <Duration milliseconds={invoice.request_time} />,
  },
  {
    key: 'created_time',
    hidden: true,
    render: invoice => <Timestamp at={invoice.created_time} />,
  },
  { key: 'open', width: 96, render: invoice => <OpenButton invoice={invoice} view={view} /> },
]

/** The months of the caller; administrators can look at those of all users. */
export const InvoicesPage = () => {
  const t = useT()
  const user = useUser()
  const [params, change] = useAddress()
  const view: View = isAdmin(user) && params.get('view') === 'all' ? 'all' : 'mine'
  const list = (view === 'all' ? api.invoices.list : api.invoices.own) as Call
  const statuses = (['unpaid', 'paid'] as const).map(value => ({
    value,
    label: t(`invoices.status.${value}`),
  }))
  return (
    <Page
      title={t('invoices.title')}
      intro={t('invoices.intro')}
      actions={isRoot(user) && <GenerateMenu />}
    >
      {isAdmin(user) && (
        <ToggleButtonGroup
          exclusive
          size="small"
          value={view}
          onChange={(_, next: View | null) => next && change({ view: next }, { clear: true })}
          aria-label={t('invoices.whose')}
          sx={{ mb: 2, '& .MuiToggleButton-root': { px: 2 } }}
        >
          {views.map(each => (
            <ToggleButton key={each} value={each}>
              {t(`invoices.views.${each}`)}
            </ToggleButton>
          ))}
        </ToggleButtonGroup>
      )}
      <DataTable
        key={view}
        resource="invoices"
        list={list}
        order="-date"
        columns={columnsOf(view)}
        filters={
          view === 'all'
            ? [
                { key: 'user_id', kind: 'number', labelKey: 'invoices.userId' },
                { key: 'status', kind: 'select', options: statuses },
              ]
            : []
        }
        card={{
          title: invoice => invoice.date.slice(0, 7),
          fields: ['status', 'quota', 'request_count', 'open'],
        }}
      />
    </Page>
  )
}
