import { Fault } from '@hub/contract'
import { type App, nowSeconds } from '../../core/app.ts'
import { appScoped } from '../../core/app-scoped.ts'
import { siteAddress } from '../../core/site/address.ts'
import type { GatewayRow } from '../../db/queries/payment-gateways.ts'
import * as gateways from '../../db/queries/payment-gateways.ts'
import { paymentGateways } from '../../integrations/payments/index.ts'
import type { GatewayContext, PaymentGateway } from '../../integrations/payments/payment-gateway.ts'
import { fetchVendor } from './vendor-fetch.ts'

type GatewayConfig = Record<string, unknown>

/** A stored gateway with the code that speaks to its vendor. */
export type OpenGateway = {
  row: GatewayRow
  integration: PaymentGateway
  context: GatewayContext<GatewayConfig>
}

const sealContext = (uuid: string) => `payment_gateways.config_sealed:${uuid}`

export const sealConfig = (app: App, uuid: string, config: GatewayConfig): string =>
  app.seal.seal('payment-gateway', sealContext(uuid), JSON.stringify(config))

/** Returns the stored fields. They may lack a field that a later release added. */
export const openConfig = (app: App, { uuid, config_sealed }: GatewayRow): GatewayConfig =>
  JSON.parse(app.seal.open('payment-gateway', sealContext(uuid), config_sealed)) as GatewayConfig

/** Throws `payment.type_unknown`. */
export const integrationOf = (type: string): PaymentGateway => {
  const integration = Object.hasOwn(paymentGateways, type) ? paymentGateways[type] : undefined
  if (!integration) throw new Fault('payment.type_unknown')
  return integration
}

type VendorKeys = GatewayContext<GatewayConfig>['vendorKeys']

/** Downloaded keys of the vendors, by gateway. A changed configuration begins without keys. */
const downloaded = appScoped(() => new Map<number, { sealed: string; keys: VendorKeys }>())

const vendorKeysOf = (app: App, { id, config_sealed: sealed }: GatewayRow): VendorKeys => {
  const known = downloaded(app).get(id)
  if (known?.sealed === sealed) return known.keys
  const keys: VendorKeys = new Map()
  downloaded(app).set(id, { sealed, keys })
  return keys
}

/** Throws `payment.config` when the stored configuration is not complete. */
export const openGateway = (app: App, row: GatewayRow): OpenGateway => {
  const integration = integrationOf(row.type)
  const read = integration.config.safeParse(openConfig(app, row))
  if (!read.success) throw new Fault('payment.config')
  const context = {
    config: read.data,
    fetch: (request: Parameters<typeof fetchVendor>[1]) => fetchVendor(app, request),
    vendorKeys: vendorKeysOf(app, row),
    notifyUrl: notifyUrlOf(app, row),
    now: nowSeconds(app),
  }
  return { row, integration, context }
}

/** Opens the gateway of an order, which may be disabled or deleted by now. */
export const gatewayOf = async (app: App, gatewayId: number): Promise<OpenGateway> => {
  const row = await gateways.findWithDeleted(app.db, gatewayId)
  if (!row) throw new Fault('resource.missing')
  return openGateway(app, row)
}

/** The address at which the vendor notifies this server about payments. Empty: nobody set one. */
export const notifyUrlOf = (app: App, { uuid, notify_domain }: GatewayRow): string => {
  const base = notify_domain.replace(/\/+$/, '') || siteAddress(app)
  return base ? `${base}/api/payment/notify/${uuid}` : ''
}
