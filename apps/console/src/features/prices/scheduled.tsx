import type { ScheduledPrice } from '@hub/contract'
import DeleteIcon from '@mui/icons-material/DeleteOutlined'
import type { ReactNode } from 'react'
import { api, useAction } from '../../api/index.ts'
import { ConfirmItem, DataTable, RowMenu, useT, type View, When } from '../../ui/index.ts'
import { Amount, Extras } from './columns.tsx'

const RowActions = ({ row: { model, at } }: { row: ScheduledPrice }) => {
  const t = useT()
  const cancel = useAction('prices', api.prices.unschedule, { done: 'prices.schedule.removed' })
  return (
    <RowMenu label={model}>
      <ConfirmItem
        icon={<DeleteIcon />}
        title={t('prices.schedule.removeTitle', { name: model })}
        text={t('prices.schedule.removeText')}
        verb={t('prices.schedule.cancel')}
        onConfirm={() => cancel({ model, at })}
      >
        {t('prices.schedule.cancel')}
      </ConfirmItem>
    </RowMenu>
  )
}

/** Prices that will count later. */
export const ScheduledPrices = ({ view, create }: { view: View; create: ReactNode }) => {
  const t = useT()
  return (
    <DataTable
      of="prices"
      list={api.prices.scheduled}
      columns={[
        { key: 'at', show: (row: ScheduledPrice) => <When at={row.at} /> },
        { key: 'model' },
        {
          key: 'input',
          align: 'right',
          show: row => <Amount price={row.price} side="input" view={view} />,
        },
        {
          key: 'output',
          align: 'right',
          show: row => <Amount price={row.price} side="output" view={view} />,
        },
        { key: 'extra_ratios', show: row => <Extras price={row.price} view={view} /> },
      ]}
      rowKey={row => `${row.model} ${row.at}`}
      card={{ title: row => row.model, facts: ['at', 'input', 'output'] }}
      rowActions={row => <RowActions row={row} />}
      empty={{
        title: t('prices.schedule.empty'),
        text: t('prices.schedule.emptyText'),
        action: create,
      }}
    />
  )
}
