import { z } from 'zod'
import { ChannelStatus } from './channel-fields.ts'

export const changeCauses = ['manual', 'automatic', 'test'] as const

/** The evidence of one change of the state of a channel, or of one of its keys. Kept for 90 days. */
export const ChannelChange = z.object({
  id: z.number(),
  /** Unix seconds. */
  at: z.number(),
  /** The fingerprint of the changed key. Empty: the whole channel. */
  fingerprint: z.string(),
  /** The new status: 1 enabled, 2 disabled by a person, 3 disabled by the gateway. */
  status: ChannelStatus,
  /** `automatic`: a call or a balance query failed. */
  cause: z.enum(changeCauses),
  /** The name of the person; empty for the gateway. */
  actor: z.string(),
  /** The fault that caused it. Empty: none. */
  code: z.string(),
  /** The upstream's HTTP status. Null: it sent none. */
  http_status: z.number().nullable(),
  model: z.string(),
  /** The vendor's message, without the channel's credential and host. */
  reason: z.string(),
  /** The call whose failure caused it. Empty: none. */
  request_id: z.string(),
})
export type ChannelChange = z.output<typeof ChannelChange>
