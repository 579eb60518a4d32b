import DeleteIcon from 'virtual:icons/delete'
import EditIcon from 'virtual:icons/edit'
import { type Gateway, gatewayIcon } from '@hub/contract'
import { api } from '../../api/index.ts'
import { useRightRefusal } from '../../api/site.ts'
import { PaymentMark } from '../../domain/marks/payment-mark.tsx'
import { SiteAddressNeeded } from '../../domain/site/address-needed.tsx'
import { useOptionalT } from '../../locales/use-t.ts'
import { DisabledReason } from '../../ui/feedback/row-menu.tsx'
import { Toggle } from '../../ui/feedback/toggle.tsx'
import {
  ActionItem,
  CodeBlock,
  type Column,
  ConfirmItem,
  Copyable,
  DataTable,
  formatPercent,
  KeyValue,
  RowMenu,
  Timestamp,
  useAction,
  useDialog,
  useRecord,
  useT,
} from '../../ui/index.ts'
import { formatUsd } from '../../ui/values/format.ts'
import { CreateGatewayButton, EditGateway } from './gateway-dialogs.tsx'
import { useGatewayTypes } from './gateway-types.ts'

const EnableSwitch = ({ gateway }: { gateway: Gateway }) => {
  const t = useT()
  const update = useAction('payments', api.payments.update)
  return (
    <Toggle
      checked={gateway.enable}
      label={t('payments.toggle', { name: gateway.name })}
      onChange={enable => update({ id: gateway.id, enable })}
      disabledReason={useRightRefusal('gateways')}
    />
  )
}

const TypeName = ({ type }: { type: string }) =>
  useGatewayTypes().find(each => each.type === type)?.name ?? type

const columns: Column<Gateway>[] = [
  { key: 'id', width: 72 },
  {
    key: 'icon',
    width: 72,
    render: gateway => <PaymentMark icon={gatewayIcon(gateway)} name={gateway.name} />,
  },
  { key: 'name', emphasized: true },
  { key: 'type', render: gateway => <TypeName type={gateway.type} /> },
  { key: 'uuid', hidden: true, render: gateway => <Copyable text={gateway.uuid} /> },
  { key: 'currency' },
  { key: 'fixed_fee', align: 'right', render: gateway => formatUsd(gateway.fixed_fee, 2) },
  {
    key: 'percent_fee',
    align: 'right',
    render: gateway => formatPercent(gateway.percent_fee * 100, { places: 2 }),
  },
  { key: 'sort', align: 'right' },
  { key: 'enable', render: gateway => <EnableSwitch gateway={gateway} /> },
  { key: 'created_at', hidden: true, render: gateway => <Timestamp at={gateway.created_at} /> },
]

/** Empty while neither the gateway nor the site has an address. */
const NotifyUrl = ({ url }: { url: string }) =>
  url === '' ? <SiteAddressNeeded /> : <Copyable text={url} />

/** Values to enter at the vendor: the notify address, and for some the public half of a key. */
const Details = ({ gateway }: { gateway: Gateway }) => {
  const t = useT()
  const optionalT = useOptionalT()
  const shownValue = (name: string, value: string) => {
    if (value.includes('\n')) return <CodeBlock>{value}</CodeBlock>
    if (name !== 'pay_type') return value || '–'
    return optionalT(`payments.options.${value || 'empty'}`) ?? value
  }
  const config = Object.entries(gateway.config).map(
    ([name, value]) => [t(`payments.config.${name}`), shownValue(name, value)] as const,
  )
  const setup = Object.entries(gateway.vendor_setup).map(
    ([name, value]) => [t(`payments.setup.${name}`), <Copyable key={name} text={value} />] as const,
  )
  return (
    <KeyValue
      rows={[
        [t('payments.notifyUrl'), <NotifyUrl key="notify" url={gateway.notify_url} />],
        ...setup,
        ...config,
        [t('payments.fields.uuid'), <Copyable key="uuid" text={gateway.uuid} />],
        [t('payments.fields.created_at'), <Timestamp key="created" at={gateway.created_at} />],
      ]}
    />
  )
}

export const Gateways = () => {
  const t = useT()
  const edit = useDialog('edit')
  const editing = useRecord<Gateway>(api.payments, edit.id)
  const refusal = useRightRefusal('gateways')
  const remove = useAction('payments', api.payments.remove, { successKey: 'payments.removed' })
  return (
    <>
      <DataTable
        resource="payments"
        list={api.payments.list}
        get={api.payments.get}
        order="-sort"
        columns={columns}
        filters={[
          { key: 'name', kind: 'text' },
          { key: 'type', kind: 'text' },
          { key: 'uuid', kind: 'text' },
        ]}
        card={{ title: gateway => gateway.name, fields: ['type', 'currency', 'enable'] }}
        drawer={gateway => <Details gateway={gateway} />}
        drawerTitle={gateway => gateway.name}
        empty={{ action: <CreateGatewayButton /> }}
        rowActions={gateway => (
          <RowMenu label={gateway.name}>
            <ActionItem
              icon={<EditIcon />}
              disabled={refusal !== undefined}
              onClick={() => edit.open(gateway.id)}
            >
              <DisabledReason reason={refusal}>{t('common.edit')}</DisabledReason>
            </ActionItem>
            <ConfirmItem
              icon={<DeleteIcon />}
              disabledReason={refusal}
              title={t('payments.remove.title', { name: gateway.name })}
              text={t('payments.remove.text')}
              onConfirm={() => remove({ id: gateway.id })}
            >
              {t('common.delete')}
            </ConfirmItem>
          </RowMenu>
        )}
      />
      {editing && <EditGateway gateway={editing} close={edit.close} />}
    </>
  )
}
