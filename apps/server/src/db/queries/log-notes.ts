import type { LogNote } from '@hub/contract'

/** English for exports and clients. The console translates the note. */
const sentences: Record<LogNote, (about: string) => string> = {
  order: about => `Order ${about}`,
  redemption: about => `Redemption code ${about}`,
  quota_changed: about => `Quota changed by ${about}`,
  new_user: () => 'Quota for a new user',
  invited: () => 'Reward for joining by invitation',
  inviter: () => 'Reward for an invitation',
  inviter_returned: () => 'Reward for an invitation, taken back',
}

/** The columns of a log row that say why it was written. */
export const notedColumns = (note: LogNote, about = '', more: object = {}) => ({
  content: sentences[note](about),
  metadata: JSON.stringify({ ...more, note, ...(about && { about }) }),
})
