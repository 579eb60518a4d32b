import { z } from 'zod'
import { moneyNumber } from './money-bounds.ts'
import {
  del,
  get,
  Id,
  ListQuery,
  NoData,
  NoInput,
  orderQuery,
  pageOf,
  patchOf,
  post,
  put,
  resource,
  rowFields,
} from './resource.ts'

/** Currencies that an order can be paid in, with two decimals each. */
export const payCurrencies = ['USD', 'CNY'] as const
const Currency = z.enum(payCurrencies)

/** Text by field name. Clients of One Hub send it as JSON text. */
const Config = z.record(z.string().max(100), z.string().max(20_000))

/** A payment gateway: an account of the operator at a payment vendor. */
export const Gateway = z.object({
  id: z.number(),
  /** The id of a gateway type, such as `epay`. It never changes. */
  type: z.string(),
  /** 32 hexadecimal digits; part of the notify address. */
  uuid: z.string(),
  name: z.string(),
  icon: z.string(),
  /** Replaces the server address in the notify address; empty: not replaced. */
  notify_domain: z.string(),
  /** USD, two decimals. It has no effect if `percent_fee` is not 0. */
  fixed_fee: z.number(),
  /** 0.05 is 5 %; at most four decimals. */
  percent_fee: z.number(),
  currency: Currency,
  /** Without the secret fields. */
  config: Config,
  /** Names of the secret fields that are set. */
  secrets_set: z.array(z.string()),
  /** Values to enter at the vendor, such as the public half of a key, by name. */
  vendor_setup: z.record(z.string(), z.string()),
  /** The address at which the vendor notifies this server. */
  notify_url: z.string(),
  /** Higher ones come first. */
  sort: z.number(),
  enable: z.boolean(),
  created_at: z.number(),
})
export type Gateway = z.output<typeof Gateway>

/** The address of the image: the gateway's own, or the console's mark of its type. */
export const gatewayIcon = ({ type, icon }: { type: string; icon: string }): string =>
  icon || `/payment-marks/${type}.svg`

export const NewGateway = z.object({
  type: z.string().min(1).max(16),
  name: z.string().trim().min(1).max(255),
  /** The address of an image; empty: the built-in mark of the type. */
  icon: z.string().trim().max(300).default(''),
  notify_domain: z.union([z.literal(''), z.url({ protocol: /^https?$/ }).max(300)]).default(''),
  fixed_fee: moneyNumber('fixed_fee').default(0),
  percent_fee: moneyNumber('percent_fee').default(0),
  currency: Currency,
  config: z.union([Config, z.string().max(100_000)]).meta({ secret: true }),
  sort: z.number().int().min(0).max(1_000_000).default(1),
  enable: z.boolean().default(true),
})

/** A field that is absent stays unchanged; in `config`, so does a secret that is absent or empty. */
export const GatewayPatch = Id.extend(patchOf(NewGateway.omit({ type: true })).shape)

const GatewayList = ListQuery.extend({
  type: z.string().max(16).optional(),
  /** The beginning of the name. */
  name: z.string().trim().max(255).optional(),
  uuid: z.string().max(32).optional(),
  currency: z.string().max(16).optional(),
  order: orderQuery('id', 'uuid', 'name', 'type', 'sort', 'enable', 'created_at'),
})

/** A kind of payment gateway that this server can use. */
export const GatewayType = z.object({
  type: z.string(),
  name: z.string(),
  currencies: z.array(Currency),
  /** False: money is returned in the vendor's own console, and a refund here only records it. */
  can_refund: z.boolean(),
  /** JSON Schema of `config`. Secret fields have `secret: true`. The console renders it as a form. */
  config: z.record(z.string(), z.unknown()),
})
export type GatewayType = z.output<typeof GatewayType>

export const payments = resource('/api/payment', {
  list: get('/', {
    access: 'admin',
    input: GatewayList,
    response: pageOf(Gateway),
    summary: 'Payment gateways, without their secrets',
  }),
  types: get('/type', {
    access: 'admin',
    input: NoInput,
    response: z.array(GatewayType),
    summary: 'Every kind of payment gateway, with its form',
  }),
  get: get('/:id', {
    access: 'admin',
    input: Id,
    response: Gateway,
    summary: 'One payment gateway',
  }),
  create: post('/', {
    access: 'admin',
    input: NewGateway,
    response: Gateway,
    summary: 'Adds a gateway; keys that cannot be read are refused',
  }),
  update: put('/', {
    access: 'admin',
    input: GatewayPatch,
    ignored: rowFields(
      Gateway,
      'type',
      'uuid',
      'secrets_set',
      'vendor_setup',
      'notify_url',
      'created_at',
    ),
    response: Gateway,
    summary: 'Changes a gateway; absent fields and absent secrets stay',
  }),
  remove: del('/:id', {
    access: 'admin',
    input: Id,
    response: NoData,
    summary: 'Deletes a gateway; payments of its old orders are still credited',
  }),
})
