import DeleteIcon from 'virtual:icons/delete'
import type { ScheduledPrice } from '@hub/contract'
import type { ReactNode } from 'react'
import { api } from '../../api/index.ts'
import { ModelName, type PriceView } from '../../domain/index.ts'
import { ConfirmItem, DataTable, RowMenu, Timestamp, useAction, useT } from '../../ui/index.ts'
import { Amount, amountText, Extras } from './columns.tsx'

const RowActions = ({ row: { model, at } }: { row: ScheduledPrice }) => {
  const t = useT()
  const cancel = useAction('prices', api.prices.unschedule, {
    successKey: 'prices.schedule.removed',
  })
  return (
    <RowMenu label={model}>
      <ConfirmItem
        icon={<DeleteIcon />}
        title={t('prices.schedule.removeTitle', { name: model })}
        text={t('prices.schedule.removeText')}
        confirmLabel={t('prices.schedule.cancel')}
        onConfirm={() => cancel({ model, at })}
      >
        {t('prices.schedule.cancel')}
      </ConfirmItem>
    </RowMenu>
  )
}

/** Prices that take effect later. */
export const ScheduledPrices = ({ view, create }: { view: PriceView; create: ReactNode }) => {
  const t = useT()
  return (
    <DataTable
      resource="prices"
      list={api.prices.scheduled}
      columns={[
        { key: 'at', render: (row: ScheduledPrice) => <Timestamp at={row.at} /> },
        { key: 'model', render: row => <ModelName name={row.model} /> },
        {
          key: 'input',
          align: 'right',
          amount: row => amountText({ price: row.price, side: 'input', view }),
          render: row => <Amount price={row.price} side="input" view={view} />,
        },
        {
          key: 'output',
          align: 'right',
          amount: row => amountText({ price: row.price, side: 'output', view }),
          render: row => <Amount price={row.price} side="output" view={view} />,
        },
        { key: 'extra_ratios', render: row => <Extras price={row.price} view={view} /> },
      ]}
      rowKey={row => `${row.model} ${row.at}`}
      card={{ title: row => <ModelName name={row.model} />, fields: ['at', 'input', 'output'] }}
      rowActions={row => <RowActions row={row} />}
      empty={{
        title: t('prices.schedule.empty'),
        text: t('prices.schedule.emptyText'),
        action: create,
      }}
    />
  )
}
