import { type Gateway, type GatewayType, NewGateway } from '@hub/contract'
import { useQuery } from '@tanstack/react-query'
import type { z } from 'zod'
import { api, query } from '../../api/index.ts'
import { type FieldOverride, FormDialog, useAction, useT } from '../../ui/index.ts'
import { ConfigFields } from './config-fields.tsx'

type GatewayValues = z.output<typeof NewGateway>

const useTypes = (): readonly GatewayType[] => useQuery(query(api.payments.types)).data ?? []

const overridesOf = (
  types: readonly GatewayType[],
  stored?: Gateway,
): Partial<Record<string, FieldOverride>> => ({
  type: {
    as: 'select',
    options: types.map(({ type, name }) => ({ value: type, label: name })),
    disabled: stored !== undefined,
  },
  config: {
    render: ({ value, set, values }) => (
      <ConfigFields
        type={types.find(each => each.type === values.type)}
        value={(value || {}) as Record<string, string>}
        set={set}
        secretsSet={stored?.secrets_set ?? []}
      />
    ),
  },
})

const sections = [{ id: 'config', fields: ['config'] }] as const

export const CreateGateway = () => {
  const t = useT()
  const types = useTypes()
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
      fieldOverrides={overridesOf(types)}
    />
  )
}

export const EditGateway = ({ gateway, close }: { gateway: Gateway; close: () => void }) => {
  const t = useT()
  const types = useTypes()
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
      fieldOverrides={overridesOf(types, gateway)}
    />
  )
}
