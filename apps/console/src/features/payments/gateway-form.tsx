import { type Gateway, moneyBounds, NewGateway } from '@hub/contract'
import { z } from 'zod'
import { api } from '../../api/index.ts'
import { integrationOverrides } from '../../domain/integration-config.tsx'
import { SiteAddressNeeded } from '../../domain/site/address-needed.tsx'
import { type FieldOverride, FormDialog, useAction, useT } from '../../ui/index.ts'
import { useGatewayTypes } from './gateway-types.ts'

const { percent_fee: percentBound } = moneyBounds

/** The form asks for percent; the API takes a part, as in One Hub. */
const GatewayFields = NewGateway.extend({
  percent_fee: z
    .number()
    .min(percentBound.min * 100)
    .max(percentBound.max * 100)
    .default(0),
})
type GatewayValues = z.output<typeof GatewayFields>

const toPart = (percent: number): number => Math.round(percent * 100) / 10_000
const toPercent = (part: number): number => Math.round(part * 10_000) / 100

/** The vendor sends its notices to the gateway's own domain, or else to the address of the site. */
const enable: FieldOverride = {
  note: ({ notify_domain }) => notify_domain === '' && <SiteAddressNeeded />,
}

const sections = [{ id: 'config', fields: ['config'] }] as const

export const NewGatewayForm = ({ close }: { close: () => void }) => {
  const t = useT()
  const types = useGatewayTypes()
  const create = useAction('payments', api.payments.create, { successKey: 'payments.created' })
  const title = t('payments.create')
  return (
    <FormDialog
      open
      onClose={close}
      resource="payments"
      title={title}
      submitLabel={title}
      schema={GatewayFields}
      submit={create}
      sections={sections}
      initialValues={{ type: types[0]?.type ?? 'epay', currency: 'CNY', config: {} }}
      transform={(values: GatewayValues) => ({
        ...values,
        percent_fee: toPart(values.percent_fee),
      })}
      fieldOverrides={{ ...integrationOverrides({ resource: 'payments', types }), enable }}
    />
  )
}

export const GatewayForm = ({ gateway, close }: { gateway: Gateway; close: () => void }) => {
  const t = useT()
  const types = useGatewayTypes()
  const update = useAction('payments', api.payments.update, { successKey: 'payments.saved' })
  return (
    <FormDialog
      open
      onClose={close}
      resource="payments"
      title={t('payments.edit', { name: gateway.name })}
      submitLabel={t('payments.save')}
      schema={GatewayFields}
      submit={update}
      sections={sections}
      initialValues={{ ...gateway, percent_fee: toPercent(gateway.percent_fee) }}
      transform={({ type: _, percent_fee, ...values }: GatewayValues) => ({
        id: gateway.id,
        ...values,
        percent_fee: toPart(percent_fee),
      })}
      fieldOverrides={{
        ...integrationOverrides({ resource: 'payments', types, stored: gateway }),
        enable,
      }}
    />
  )
}
