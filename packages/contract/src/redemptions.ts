import { z } from 'zod'
import {
  crud,
  Id,
  ListQuery,
  orderQuery,
  Points,
  patchOf,
  resource,
  rowFields,
} from './resource.ts'

export const Redemption = z.object({
  id: z.number(),
  /** The administrator who made the code. */
  user_id: z.number(),
  /** The whole code, which administrators hand out. */
  key: z.string(),
  /** 1 enabled, 2 disabled, 3 used, 4 expired. 3 is final; 4 depends on the time of expiry. */
  status: z.union([z.literal(1), z.literal(2), z.literal(3), z.literal(4)]),
  name: z.string(),
  /** Points. */
  quota: z.number(),
  created_time: z.number(),
  /** 0: not redeemed. */
  redeemed_time: z.number(),
  /** The user who redeemed the code; 0: nobody. */
  used_user_id: z.number(),
  used_username: z.string(),
  /** -1: never. */
  expired_time: z.number(),
})
export type Redemption = z.output<typeof Redemption>

export const NewRedemptions = z.object({
  name: z.string().trim().min(1).max(20),
  quota: Points.default(100_000),
  count: z.number().int().min(1).max(100).default(1),
  /** Seconds since 1970. Both -1 and 0 mean never. */
  expired_time: z.number().int().min(-1).max(99_999_999_999).default(-1),
})
export const RedemptionPatch = Id.extend({
  ...patchOf(NewRedemptions.omit({ count: true })).shape,
  status: z.union([z.literal(1), z.literal(2)]).optional(),
  /** Query parameter: only `status` of the body is applied. */
  status_only: z.string().optional(),
})

const Codes = z.array(z.string())
const list = ListQuery.extend({
  status: z.number().int().min(1).max(4).optional(),
  order: orderQuery('id', 'name', 'status', 'quota', 'created_time', 'redeemed_time'),
})

export const redemptions = resource(
  '/api/redemption',
  crud(
    'admin',
    { row: Redemption, list, create: NewRedemptions, created: Codes, update: RedemptionPatch },
    {
      list: 'Redemption codes; `keyword` is an id, a whole code or the beginning of a name',
      get: 'One code',
      create: 'Creates 1 to 100 codes, all or none; returns them',
      update: 'Changes an unused code',
      remove: 'Deletes a code, which can then no longer be redeemed',
    },
    {
      query: ['status_only'],
      ignored: rowFields(
        Redemption,
        'user_id',
        'key',
        'created_time',
        'redeemed_time',
        'used_user_id',
        'used_username',
      ),
    },
  ),
)
