import { z } from 'zod'
import { Points } from './resource.ts'

const countMax = 1_000_000_000
const Count = z.number().int().min(1).max(countMax)
const orNone = <S extends z.ZodType>(schema: S) => schema.nullable().default(null)

/** What calls are held to, beside the requests a minute. Null: no limit. Days and months are of the site's time zone. */
export const limitShape = {
  requests_per_day: orNone(Count),
  /** Input and output together, as the upstream told them; what a running call may use is reserved. */
  tokens_per_minute: orNone(Count),
  concurrent_requests: orNone(Count),
  /** Points, by the ledger's postings; what a running call may cost is reserved. */
  quota_per_day: orNone(Points.min(1)),
  quota_per_month: orNone(Points.min(1)),
}

export type LimitFields = { [K in keyof typeof limitShape]: number | null }
export const limitNames = Object.keys(limitShape) as (keyof LimitFields)[]

export const limitReply = {
  requests_per_day: z.number().nullable(),
  tokens_per_minute: z.number().nullable(),
  concurrent_requests: z.number().nullable(),
  quota_per_day: z.number().nullable(),
  quota_per_month: z.number().nullable(),
}

/** The limits among other fields. */
export const pickLimits = (fields: LimitFields): LimitFields => ({
  requests_per_day: fields.requests_per_day,
  tokens_per_minute: fields.tokens_per_minute,
  concurrent_requests: fields.concurrent_requests,
  quota_per_day: fields.quota_per_day,
  quota_per_month: fields.quota_per_month,
})
