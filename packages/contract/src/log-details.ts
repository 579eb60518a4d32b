import { z } from 'zod'
import { FailedAttempt, RouteNote } from './call-routes.ts'

/** Why a row that belongs to no call was written: `note` of its metadata, with `about`. `content` says it in English. */
export const logNotes = [
  'order',
  'redemption',
  'quota_changed',
  'new_user',
  'invited',
  'inviter',
  'inviter_returned',
] as const
export type LogNote = (typeof logNotes)[number]

/** The figures by which a call was refused, for its log row. The console translates them. */
export const RefusalFigures = z.object({
  /** The owner of the limit that refused it. */
  limit_of: z.enum(['token', 'group']).optional(),
  /** The limit, in the unit of the fault code: requests, tokens, calls at once, or points. */
  limit: z.number().optional(),
  /** Seconds from the refusal until a retry may pass. */
  retry_after: z.number().optional(),
  /** Points that the call would have held at least. */
  needed: z.number().optional(),
  /** Points that balance and cap of the key left for it. */
  available: z.number().optional(),
})
export type RefusalFigures = z.output<typeof RefusalFigures>

/** The metadata of an error. Its `content` is the fault code, or `caller.left`. */
export const ErrorDetails = z.object({
  /** The group that the call counts for, as in a charge. Rows of earlier releases have neither. */
  billing_tag: z.string().optional(),
  group_name: z.string().optional(),
  request_id: z.string(),
  operation: z.string(),
  /** The requested path without its query. Rows of earlier releases have none. */
  path: z.string().optional(),
  /** The HTTP status that was sent: 200 once a ping or a part of a stream was; 499 for a caller who left. */
  status: z.number(),
  /** The code of the error in the caller's dialect. Absent where it has none, and in rows of earlier releases. */
  response_code: z.string().optional(),
  /** The sentence that the caller was sent: ours, or the provider's where its body was passed on. */
  message: z.string(),
  refusal: RefusalFigures.optional(),
  /** Part of an answer was delivered. A consumption row with the id of the request has the charge. */
  charged: z.boolean(),
  /** Above a bound, one row stands for many errors of one user, code and model. */
  count: z.number(),
  attempts: z.array(FailedAttempt).default([]),
  route: RouteNote.optional(),
  /** Names of headers of the caller that the last channel did not pass on. Rows of several errors have those of one. */
  headers_not_passed: z.array(z.string()).optional(),
  /** The session that the client named. A row that stands for several errors has none. */
  session: z.string().optional(),
})
export type ErrorDetails = z.output<typeof ErrorDetails>
