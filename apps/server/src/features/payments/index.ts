import { randomUUID } from 'node:crypto'
import { contract, Fault, type Gateway, type GatewayType, issuesOf } from '@hub/contract'
import { z } from 'zod'
import { integrationOf, notifyUrlOf, openConfig, sealConfig } from '../../billing/orders/gateway.ts'
import { requireRight } from '../../core/accounts/money-rights.ts'
import { type App, nowSeconds } from '../../core/app.ts'
import { definedOnly, mapPage, required, requireMatch } from '../../core/crud.ts'
import { implement } from '../../core/implement.ts'
import { requireReachableSite } from '../../core/site/address.ts'
import * as rows from '../../db/queries/payment-gateways.ts'
import { paymentGateways } from '../../integrations/payments/index.ts'
import type { PaymentGateway } from '../../integrations/payments/payment-gateway.ts'

const { create, update } = contract.payments.endpoints
type NewGateway = z.output<typeof create.input>
type GatewayPatch = z.output<typeof update.input>
type ConfigFields = Record<string, string>

export const payments = implement(contract.payments, {
  list: (app, _caller, input) => mapPage(rows.list(app.db, input), row => toGateway(app, row)),
  types: () => Object.values(paymentGateways).map(toType),
  get: (app, _caller, { id }) => getGateway(app, id),
  create: (app, caller, input) => {
    requireRight(app, caller, 'gateways')
    return createGateway(app, input)
  },
  update: (app, caller, patch) => {
    requireRight(app, caller, 'gateways')
    return updateGateway(app, patch)
  },
  remove: (app, caller, { id }) => {
    requireRight(app, caller, 'gateways')
    return requireMatch(rows.remove(app.db, id, nowSeconds(app)))
  },
})

const toType = ({ id, name, currencies, canRefund, config }: PaymentGateway): GatewayType => ({
  type: id,
  name,
  currencies: currencies as GatewayType['currencies'],
  can_refund: canRefund,
  config: z.toJSONSchema(config, { io: 'input' }),
})

const secretFields = ({ config }: PaymentGateway): string[] =>
  Object.entries(config.shape)
    .filter(([, field]) => (field as z.ZodType).meta()?.secret === true)
    .map(([name]) => name)

const getGateway = async (app: App, id: number): Promise<Gateway> =>
  toGateway(app, required(await rows.find(app.db, id)))

const toGateway = (app: App, row: rows.GatewayRow): Gateway => {
  const stored = openConfig(app, row) as ConfigFields
  const integration = integrationOf(row.type)
  const secrets = secretFields(integration)
  const isPublic = ([name]: [string, string]) => !secrets.includes(name)
  return {
    id: row.id,
    type: row.type,
    uuid: row.uuid,
    name: row.name,
    icon: row.icon,
    notify_domain: row.notify_domain,
    fixed_fee: row.fixed_fee / 100,
    percent_fee: row.percent_fee / 10_000,
    currency: row.currency as Gateway['currency'],
    config: Object.fromEntries(Object.entries(stored).filter(isPublic)),
    secrets_set: secrets.filter(name => Boolean(stored[name])),
    vendor_setup: vendorSetup(integration, stored),
    notify_url: notifyUrlOf(app, row),
    sort: row.sort,
    enable: row.enable === 1,
    created_at: row.created_at,
  }
}

/** Empty for a configuration that an older release stored and this one cannot read. */
const vendorSetup = (integration: PaymentGateway, stored: ConfigFields): Record<string, string> => {
  const read = integration.config.safeParse(stored)
  return read.success ? integration.check(read.data) : {}
}

const createGateway = async (app: App, input: NewGateway): Promise<Gateway> => {
  const integration = integrationOf(input.type)
  checkCurrency(integration, input.currency)
  const config = checkConfig(integration, readConfig(input.config))
  if (input.enable && input.notify_domain === '') requireReachableSite(app)
  const uuid = randomUUID().replaceAll('-', '')
  const { type, name, icon, notify_domain, fixed_fee, percent_fee, currency, sort, enable } = input
  const id = await rows.insert(app.db, {
    uuid,
    type,
    name,
    icon,
    notify_domain,
    fixed_fee: Math.round(fixed_fee * 100),
    percent_fee: Math.round(percent_fee * 10_000),
    currency,
    config_sealed: sealConfig(app, uuid, config),
    sort,
    enable: Number(enable),
    created_at: nowSeconds(app),
    deleted_at: null,
  })
  return getGateway(app, id)
}

const updateGateway = async (app: App, patch: GatewayPatch): Promise<Gateway> => {
  const { id, name, icon, notify_domain, currency, sort, enable, fixed_fee, percent_fee } = patch
  const row = required(await rows.find(app.db, id))
  const integration = integrationOf(row.type)
  if (currency !== undefined) checkCurrency(integration, currency)
  const config = patch.config === undefined ? undefined : mergeConfig(app, row, patch.config)
  const domain = notify_domain ?? row.notify_domain
  const isOn = enable ?? row.enable === 1
  const wasReached = row.enable === 1 && (row.notify_domain === '' || domain !== '')
  if (isOn && domain === '' && !wasReached) requireReachableSite(app)
  const change = definedOnly({
    name,
    icon,
    notify_domain,
    currency,
    sort,
    enable: enable === undefined ? undefined : Number(enable),
    fixed_fee: fixed_fee === undefined ? undefined : Math.round(fixed_fee * 100),
    percent_fee: percent_fee === undefined ? undefined : Math.round(percent_fee * 10_000),
    config_sealed: config && sealConfig(app, row.uuid, config),
  })
  if (Object.keys(change).length > 0) await requireMatch(rows.update(app.db, id, change))
  return getGateway(app, id)
}

const checkCurrency = ({ currencies, name }: PaymentGateway, currency: string): void => {
  if (currencies.includes(currency)) return
  throw new Fault('payment.config', {
    hint: `\`currency\`: ${name} takes ${currencies.join(' and ')}.`,
  })
}

/** Clients of One Hub send the configuration as JSON text. */
const readConfig = (config: NewGateway['config']): ConfigFields => {
  if (typeof config !== 'string') return config
  try {
    return z.record(z.string(), z.string()).parse(JSON.parse(config))
  } catch {
    throw new Fault('payment.config', { hint: '`config`: it must be a JSON object of texts.' })
  }
}

/** Refuses unknown fields, fields out of bounds, and keys that cannot be read. */
const checkConfig = (integration: PaymentGateway, fields: ConfigFields): ConfigFields => {
  const unknown = Object.keys(fields).find(name => !Object.hasOwn(integration.config.shape, name))
  if (unknown !== undefined)
    throw new Fault('request.unknown_field', { hint: `\`config.${unknown.slice(0, 100)}\`.` })
  const read = integration.config.safeParse(fields)
  if (!read.success) throw new Fault('payment.config', { hint: `${issuesOf(read.error)}.` })
  integration.check(read.data)
  return read.data as ConfigFields
}

/**
 * Keeps the fields that the change does not contain, and secrets that it leaves empty. A stored secret is sent only to the
 * host for which it was entered.
 */
const mergeConfig = (
  app: App,
  row: rows.GatewayRow,
  change: NewGateway['config'],
): ConfigFields => {
  const integration = integrationOf(row.type)
  const stored = openConfig(app, row) as ConfigFields
  const secrets = secretFields(integration)
  const given = Object.fromEntries(
    Object.entries(readConfig(change)).filter(
      ([name, value]) => value !== '' || !secrets.includes(name),
    ),
  )
  const merged = checkConfig(integration, { ...stored, ...given })
  const missing = secrets.filter(name => stored[name] && !(name in given))
  const destinations = (config: ConfigFields) => integration.destinations(config).join(' ')
  if (missing.length > 0 && destinations(stored) !== destinations(merged))
    throw new Fault('payment.secrets_needed', {
      hint: `Enter again: ${missing.map(name => `\`config.${name}\``).join(', ')}.`,
    })
  return merged
}
