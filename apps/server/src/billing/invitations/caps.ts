import type { App } from '../../core/app.ts'
import type { Database } from '../../db/index.ts'
import * as invitations from '../../db/queries/invitations.ts'
import { addressUnit } from '../../lib/ip.ts'
import { makeCalendar } from '../../lib/time/calendar.ts'

/** The cap that is reached. */
type ReachedCap = 'inviter' | 'address' | 'day'

/**
 * Counts an invitation against the caps of this day. Returns the cap that is reached already; then nothing is counted.
 * The statements hold their rows, so that parallel registrations take turns.
 */
export const countInvitation = async (
  app: App,
  tx: Database,
  { inviterId, ip }: { inviterId: number; ip: string },
  now: number,
): Promise<ReachedCap | undefined> => {
  const { registration, site } = app.settings()
  const day = makeCalendar(site.TimeZone).day(now).begin
  const caps = [
    ['address', `address:${addressUnit(ip)}`, registration.InvitationsPerAddressMax],
    ['inviter', `inviter:${inviterId}`, registration.InvitationsPerInviterMax],
    ['day', 'site', registration.InvitationsPerDayMax],
  ] as const
  const taken: string[] = []
  for (const [cap, scope, max] of caps) {
    if (max === 0) continue
    if (!(await invitations.take(tx, { scope, day, max }))) {
      for (const each of taken) await invitations.giveBack(tx, each, day)
      return cap
    }
    taken.push(scope)
  }
  return undefined
}
