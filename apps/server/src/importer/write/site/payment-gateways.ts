import { randomUUID } from 'node:crypto'
import { addressStateOf, Fault, NewGateway } from '@hub/contract'
import { integrationOf, sealConfig } from '../../../billing/orders/gateway.ts'
import { nowSeconds } from '../../../core/app.ts'
import type { Database } from '../../../db/index.ts'
import * as options from '../../../db/queries/options.ts'
import * as rows from '../../../db/queries/payment-gateways.ts'
import type { PaymentGateway } from '../../../integrations/payments/payment-gateway.ts'
import type { ImportedGateway } from '../../gateway-data.ts'
import type { ImportContext } from '../context.ts'

/**
 * Payment gateways with their secrets, encrypted. One that cannot be used as it is, or whose notices would not arrive, is
 * disabled. Call it after the options are written: one of them is the address of the site.
 */
export const writeGateways = async (
  context: ImportContext,
  imported: readonly ImportedGateway[],
): Promise<void> => {
  const isReachable = await hasPublicAddress(context.tx)
  const taken = new Set<string>()
  for (const gateway of imported) await writeGateway(context, gateway, { isReachable, taken })
}

const hasPublicAddress = async (tx: Database): Promise<boolean> => {
  const stored = await options.find(tx, 'ServerAddress')
  return addressStateOf(stored ?? '') === 'public'
}

type Site = { isReachable: boolean; taken: Set<string> }

const writeGateway = async (
  { app, tx, report }: ImportContext,
  gateway: ImportedGateway,
  { isReachable, taken }: Site,
): Promise<void> => {
  const { table, id, problem, createdAt } = gateway
  const row = { id, name: String(gateway.fields.name) }
  const integration = knownIntegration(String(gateway.fields.type))
  if (!integration) {
    report.skip(table, row, 'there is no such kind of payment gateway here')
    return
  }
  const { fields, problems } = readFields(gateway, integration)
  const { config, wrong } = readConfig(gateway.config, integration)
  problems.push(...wrong)
  if (problem !== undefined) problems.push(problem)
  if (fields.notify_domain === '' && !isReachable)
    problems.push('the address of the site is not set, so that no notice could arrive')
  const isOn = gateway.isEnabled && problems.length === 0
  for (const each of problems)
    report.change(table, row, gateway.isEnabled ? `disabled: ${each}` : each)
  // Vendors know the notify address, which contains it.
  const isFree = /^[0-9a-f]{32}$/.test(gateway.uuid) && !taken.has(gateway.uuid)
  const uuid = isFree ? gateway.uuid : randomUUID().replaceAll('-', '')
  taken.add(uuid)
  const { type, name, icon, notify_domain, currency, sort, fixed_fee, percent_fee } = fields
  await rows.insert(tx, {
    ...{ uuid, type, name, icon, notify_domain, currency, sort },
    fixed_fee: Math.round(fixed_fee * 100),
    percent_fee: Math.round(percent_fee * 10_000),
    config_sealed: sealConfig(app, uuid, config),
    enable: Number(isOn),
    created_at: createdAt || nowSeconds(app),
    deleted_at: null,
  })
  report.carry(table)
}

const knownIntegration = (type: string): PaymentGateway | undefined => {
  try {
    return integrationOf(type)
  } catch {
    return undefined
  }
}

/** The valid fields; an invalid one gets its default and is a problem. */
const readFields = ({ fields }: ImportedGateway, { currencies, name }: PaymentGateway) => {
  const problems: string[] = []
  const defaults: Record<string, unknown> = { name, currency: currencies[0] }
  let given: Record<string, unknown> = { ...fields, config: {} }
  if (!currencies.includes(String(given.currency))) {
    problems.push(`\`currency\` must be ${currencies.join(' or ')}`)
    given.currency = currencies[0]
  }
  for (;;) {
    const read = NewGateway.safeParse(given)
    if (read.success) return { fields: read.data, problems }
    const { path, message } = read.error.issues[0]!
    const field = String(path[0])
    problems.push(`\`${field}\` ${message}`)
    const { [field]: _invalid, ...rest } = given
    given = field in defaults ? { ...rest, [field]: defaults[field] } : rest
  }
}

/** The texts of the fields that the integration has. Problems name fields and never values, which may be secrets. */
const readConfig = (
  stored: unknown,
  integration: PaymentGateway,
): { config: Record<string, string>; wrong: string[] } => {
  if (typeof stored !== 'object' || stored === null || Array.isArray(stored))
    return { config: {}, wrong: ['`config` is not a JSON object'] }
  const wrong: string[] = []
  const config: Record<string, string> = {}
  for (const [name, value] of Object.entries(stored))
    if (Object.hasOwn(integration.config.shape, name) && typeof value === 'string')
      config[name] = value
    else if (value !== null && value !== '')
      wrong.push(`\`config.${name.slice(0, 50)}\` has no place here`)
  const read = integration.config.safeParse(config)
  if (!read.success) {
    const { path, message } = read.error.issues[0]!
    return { config, wrong: [...wrong, `\`config.${path.join('.')}\` ${message}`] }
  }
  try {
    integration.check(read.data)
  } catch (error) {
    if (!(error instanceof Fault)) throw error
    wrong.push('`config` has a key that cannot be read')
  }
  return { config: read.data as Record<string, string>, wrong }
}
