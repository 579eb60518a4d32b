import { z } from 'zod'
import { accountEvents, targetEndpoints } from './notifications.ts'
import { get, NoInput, Points, put, resource } from './resource.ts'

/** The user gets a reminder below this many points. null: as the site sets it; 0: never. */
export const BalanceReminder = z.object({ threshold: Points.nullable() })

export const ownNotifications = resource('/api/user/notification', {
  ...targetEndpoints('user', accountEvents),
  reminder: get('/reminder', {
    access: 'user',
    input: NoInput,
    response: BalanceReminder.extend({
      /** The threshold of the site, in points. */
      site_threshold: z.number(),
    }),
    summary: 'The balance below which the caller gets a reminder',
  }),
  setReminder: put('/reminder', {
    access: 'user',
    input: BalanceReminder,
    response: BalanceReminder,
    summary: 'Sets the balance below which the caller gets a reminder',
  }),
})
