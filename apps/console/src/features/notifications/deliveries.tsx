import { type Delivery, deliveryStates } from '@hub/contract'
import { api } from '../../api/index.ts'
import { DeliveryState } from '../../domain/notifications/delivery-state.tsx'
import {
  ActionItem,
  type Column,
  DataTable,
  KeyValue,
  RowMenu,
  Timestamp,
  useAction,
  useT,
} from '../../ui/index.ts'

const columns: Column<Delivery>[] = [
  { key: 'created_at', width: 180, render: ({ created_at }) => <Timestamp at={created_at} /> },
  { key: 'title', emphasized: true, width: 220 },
  { key: 'target_name', width: 200 },
  { key: 'count', align: 'right' },
  { key: 'attempts', align: 'right', hidden: true },
  { key: 'state', render: ({ state }) => <DeliveryState state={state} /> },
  { key: 'failure' },
]

const Details = ({ delivery }: { delivery: Delivery }) => {
  const t = useT()
  const { created_at, ended_at, next_attempt_at, state } = delivery
  return (
    <KeyValue
      rows={[
        [t('notifications.fields.event'), t(`notifications.events.${eventKey(delivery.event)}`)],
        [t('notifications.fields.target_name'), delivery.target_name],
        [t('notifications.fields.state'), <DeliveryState key="state" state={state} />],
        [t('notifications.fields.count'), String(delivery.count)],
        [t('notifications.fields.attempts'), String(delivery.attempts)],
        [t('notifications.fields.created_at'), <Timestamp key="created" at={created_at} />],
        state === 'waiting'
          ? [
              t('notifications.fields.next_attempt_at'),
              <Timestamp key="next" at={next_attempt_at} />,
            ]
          : [t('notifications.fields.ended_at'), <Timestamp key="ended" at={ended_at} />],
        [t('notifications.fields.failure'), delivery.failure || '–'],
      ]}
    />
  )
}

const eventKey = (event: string) => event.replace('.', '_')

/** Lists the deliveries to the administrators, in whichever state they are. A failed one can be sent again. */
export const Deliveries = () => {
  const t = useT()
  const resend = useAction('notifications', api.notifications.resend, {
    successKey: 'notifications.resent',
  })
  const states = deliveryStates.map(value => ({
    value,
    label: t(`notifications.states.${value}`),
  }))
  return (
    <DataTable
      resource="notifications"
      list={api.notifications.deliveries}
      order="-created_at"
      columns={columns}
      filters={[{ key: 'state', kind: 'select', options: states }]}
      card={{ title: delivery => delivery.title, fields: ['created_at', 'target_name', 'state'] }}
      drawer={delivery => <Details delivery={delivery} />}
      drawerTitle={delivery => delivery.title}
      rowActions={delivery =>
        delivery.state === 'failed' && (
          <RowMenu label={delivery.title}>
            <ActionItem icon={null} onClick={() => void resend({ id: delivery.id })}>
              {t('notifications.resend')}
            </ActionItem>
          </RowMenu>
        )
      }
    />
  )
}
