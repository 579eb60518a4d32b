import { z } from 'zod'
import { boolean, link, text } from './fields.ts'

/** A public status page of Uptime Kuma, shown on the dashboard. */
export const uptime = z.object({
  UptimeEnabled: boolean(false),
  /** The address of Uptime Kuma, such as `https://status.example.com`. */
  UptimeDomain: link(),
  /** The name at the end of the status page's address: `/status/NAME`. */
  UptimePageName: text(100).refine(
    value => /^[\w-]*$/.test(value),
    'must be a name such as default',
  ),
})
