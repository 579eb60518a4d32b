import { z } from 'zod'
import { Points } from './resource.ts'

const countMax = 1_000_000_000
const Count = z.number().int().min(1).max(countMax)
const nullableLimit = <S extends z.ZodType>(schema: S) => schema.nullable().default(null)

/** Limits in addition to requests per minute. Null: no limit. Days and months follow the time zone of the site. */
export const limitShape = {
  requests_per_day: nullableLimit(Count),
  /** Input plus output as the upstream reports them. A running call reserves what it may use. */
  tokens_per_minute: nullableLimit(Count),
  concurrent_requests: nullableLimit(Count),
  /** Points, by the postings of the ledger. A running call reserves what it may cost. */
  quota_per_day: nullableLimit(Points.min(1)),
  quota_per_month: nullableLimit(Points.min(1)),
}

export type LimitFields = { [K in keyof typeof limitShape]: number | null }
export const limitNames = Object.keys(limitShape) as (keyof LimitFields)[]

export const limitFields = {
  requests_per_day: z.number().nullable(),
  tokens_per_minute: z.number().nullable(),
  concurrent_requests: z.number().nullable(),
  quota_per_day: z.number().nullable(),
  quota_per_month: z.number().nullable(),
}

/** Copies the limits out of an object with more fields. */
export const pickLimits = (fields: LimitFields): LimitFields => ({
  requests_per_day: fields.requests_per_day,
  tokens_per_minute: fields.tokens_per_minute,
  concurrent_requests: fields.concurrent_requests,
  quota_per_day: fields.quota_per_day,
  quota_per_month: fields.quota_per_month,
})
