import type { VendorTaskRequest } from '@hub/providers'
import { checkSteeringOf } from '../channels/caller-policy.ts'
import type { Channel } from '../channels/channel.ts'
import { checkLinksOf } from '../links/check-links.ts'
import { requireShared } from '../links/check-references.ts'
import { listTaskReferences } from '../links/references.ts'

/** Judges the request that leaves for a task: its links, its steering fields, and the objects that it names. */
export const checkTaskRequest = (channel: Channel, body: VendorTaskRequest['body']): void => {
  checkLinksOf(channel, body)
  checkSteeringOf(channel, '', body)
  for (const each of listTaskReferences(body)) requireShared(channel, each)
}
