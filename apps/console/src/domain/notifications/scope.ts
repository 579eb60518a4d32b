import { accountEvents, NewAccountTarget, NewSiteTarget, siteEvents } from '@hub/contract'
import { api } from '../../api/index.ts'

/** The administrators share their targets (`site`). Each user has targets of their own (`account`). */
export const scopes = {
  site: {
    resource: 'notifications',
    api: api.notifications,
    events: siteEvents as readonly string[],
    schema: NewSiteTarget,
  },
  account: {
    resource: 'own-notifications',
    // Both resources have the same calls; they differ in the names of the events.
    api: api['own-notifications'] as unknown as typeof api.notifications,
    events: accountEvents as readonly string[],
    schema: NewAccountTarget as unknown as typeof NewSiteTarget,
  },
} as const
export type Scope = keyof typeof scopes
