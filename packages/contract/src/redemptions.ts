import { z } from 'zod'
import {
  Done,
  del,
  get,
  Id,
  ListQuery,
  orderOf,
  Points,
  pageOf,
  post,
  put,
  resource,
} from './resource.ts'

/** 1 enabled, 2 disabled, 3 used, 4 expired. 3 is for ever; 4 comes and goes with the time of expiry. */
export const RedemptionStatus = z.union([z.literal(1), z.literal(2), z.literal(3), z.literal(4)])
export type RedemptionStatus = z.output<typeof RedemptionStatus>

export const Redemption = z.object({
  id: z.number(),
  /** Who made it. */
  user_id: z.number(),
  /** The code in full: administrators hand it out. */
  key: z.string(),
  status: RedemptionStatus,
  name: z.string(),
  /** Points. */
  quota: z.number(),
  created_time: z.number(),
  /** 0: not redeemed. */
  redeemed_time: z.number(),
  /** Who redeemed it; 0: nobody. */
  used_user_id: z.number(),
  used_username: z.string(),
  /** -1: never. */
  expired_time: z.number(),
})
export type Redemption = z.output<typeof Redemption>

/** Seconds since 1970; -1, and 0 as well: never. */
const Expiry = z.number().int().min(-1).max(99_999_999_999)

const Name = z.string().trim().min(1).max(20)

export const NewRedemptions = z.object({
  name: Name,
  quota: Points.default(100_000),
  count: z.number().int().min(1).max(100).default(1),
  expired_time: Expiry.default(-1),
})
export const RedemptionPatch = z.object({
  id: z.number().int().positive(),
  name: Name.optional(),
  quota: Points.optional(),
  expired_time: Expiry.optional(),
  status: z.union([z.literal(1), z.literal(2)]).optional(),
  /** Query: only `status` is taken from the body. */
  status_only: z.string().optional(),
})

export const redemptions = resource('/api/redemption', {
  list: get('/', {
    access: 'admin',
    input: ListQuery.extend({
      status: z.number().int().min(1).max(4).optional(),
      order: orderOf('id', 'name', 'status', 'quota', 'created_time', 'redeemed_time'),
    }),
    reply: pageOf(Redemption),
    summary: 'Redemption codes; `keyword` is an id, a whole code or the beginning of a name',
  }),
  get: get('/:id', { access: 'admin', input: Id, reply: Redemption, summary: 'One code' }),
  create: post('/', {
    access: 'admin',
    input: NewRedemptions,
    reply: z.array(z.string()),
    summary: 'Makes 1 to 100 codes, all or none; answers them',
  }),
  update: put('/', {
    access: 'admin',
    input: RedemptionPatch,
    reply: Redemption,
    summary: 'Changes a code that is not used',
  }),
  remove: del('/:id', {
    access: 'admin',
    input: Id,
    reply: Done,
    summary: 'Deletes a code; it can be redeemed no more',
  }),
})
