import DeleteIcon from 'virtual:icons/delete'
import EditIcon from 'virtual:icons/edit'
import type { Owner, Price } from '@hub/contract'
import Skeleton from '@mui/material/Skeleton'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { api, query } from '../../api/index.ts'
import { ModelName, type PriceView } from '../../domain/index.ts'
import {
  ActionItem,
  ConfirmButton,
  ConfirmItem,
  DataTable,
  RowMenu,
  useAction,
  useT,
} from '../../ui/index.ts'
import { columnsFor } from './columns.tsx'

const RowActions = ({ price, edit }: { price: Price; edit: () => void }) => {
  const t = useT()
  const name = price.model
  const remove = useAction(['prices', 'models'], api.prices.remove, {
    successKey: 'prices.removed',
  })
  return (
    <RowMenu label={name}>
      <ActionItem icon={<EditIcon />} onClick={edit}>
        {t('common.edit')}
      </ActionItem>
      <ConfirmItem
        icon={<DeleteIcon />}
        title={t('prices.remove.title', { name })}
        text={t('prices.remove.text')}
        onConfirm={() => remove({ name })}
      >
        {t('common.delete')}
      </ConfirmItem>
    </RowMenu>
  )
}

const Bulk = ({ models, clear }: { models: string[]; clear: () => void }) => {
  const t = useT()
  const remove = useAction(['prices', 'models'], api.prices.removeMultiple, {
    successKey: 'prices.bulk.removed',
    onSuccess: clear,
  })
  return (
    <ConfirmButton
      title={t('prices.bulk.removeTitle', { count: models.length })}
      text={t('prices.bulk.removeText')}
      confirmLabel={t('common.delete')}
      onConfirm={() => remove({ models })}
    >
      {t('common.delete')}
    </ConfirmButton>
  )
}

type Props = {
  view: PriceView
  owners: readonly Owner[]
  edit: (price: Price) => void
  toolbar: ReactNode
  create: ReactNode
}

/** The prices of models that can be called; undefined until they are read. Models can share the price of a pattern. */
const usePricesInUse = (): ReadonlySet<string> | undefined => {
  const { data, isPending } = useQuery(query(api.models.available))
  if (isPending) return undefined
  return new Set(Object.values(data ?? {}).map(({ price }) => price.model))
}

/** All prices, one row per model, those in use first. */
export const SinglePrices = ({ view, owners, edit, toolbar, create }: Props) => {
  const t = useT()
  const inUse = usePricesInUse()
  // Rows that stand already must not move when it is known which are in use.
  if (!inUse) return <Skeleton variant="rounded" height={480} />
  return (
    <DataTable
      resource="prices"
      list={api.prices.list}
      columns={columnsFor(view, new Map(owners.map(owner => [owner.id, owner])))}
      order="model"
      isFirst={row => inUse.has(row.model)}
      rowKey={row => row.model}
      filters={[
        { key: 'keyword', kind: 'text', labelKey: 'prices.fields.keyword' },
        {
          key: 'type',
          kind: 'select',
          options: (['tokens', 'times'] as const).map(value => ({
            value,
            label: t(`prices.options.type.${value}`),
          })),
        },
        {
          key: 'channel_type',
          kind: 'select',
          options: owners.map(({ id, name }) => ({ value: id, label: name })),
        },
        {
          key: 'locked',
          kind: 'select',
          options: [
            { value: 'true', label: t('common.yes') },
            { value: 'false', label: t('common.no') },
          ],
        },
      ]}
      toolbar={toolbar}
      card={{
        title: row => <ModelName name={row.model} />,
        fields: ['channel_type', 'input', 'output'],
      }}
      rowActions={row => <RowActions price={row} edit={() => edit(row)} />}
      bulkActions={(selected, clear) => <Bulk models={selected.map(String)} clear={clear} />}
      empty={{ action: create }}
    />
  )
}
