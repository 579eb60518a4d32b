import { type Gateway, NewGateway } from '@hub/contract'
import type { z } from 'zod'
import { api } from '../../api/index.ts'
import { integrationOverrides } from '../../domain/integration-config.tsx'
import { SiteAddressNeeded } from '../../domain/site/address-needed.tsx'
import { type FieldOverride, FormDialog, useAction, useT } from '../../ui/index.ts'
import { useGatewayTypes } from './gateway-types.ts'

type GatewayValues = z.output<typeof NewGateway>

/** The vendor sends its notices to the gateway's own domain, or else to the address of the site. */
const enable: FieldOverride = {
  note: ({ notify_domain }) => notify_domain === '' && <SiteAddressNeeded />,
}

const sections = [{ id: 'config', fields: ['config'] }] as const

export const CreateGateway = () => {
  const t = useT()
  const types = useGatewayTypes()
  const create = useAction('payments', api.payments.create, { successKey: 'payments.created' })
  const title = t('payments.create')
  return (
    <FormDialog
      resource="payments"
      title={title}
      submitLabel={title}
      schema={NewGateway}
      submit={create}
      sections={sections}
      initialValues={{ type: types[0]?.type ?? 'epay', currency: 'CNY', config: {} }}
      fieldOverrides={{ ...integrationOverrides({ resource: 'payments', types }), enable }}
    />
  )
}

export const EditGateway = ({ gateway, close }: { gateway: Gateway; close: () => void }) => {
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
      schema={NewGateway}
      submit={update}
      sections={sections}
      initialValues={gateway}
      transform={({ type: _, ...values }: GatewayValues) => ({ id: gateway.id, ...values })}
      fieldOverrides={{
        ...integrationOverrides({ resource: 'payments', types, stored: gateway }),
        enable,
      }}
    />
  )
}
