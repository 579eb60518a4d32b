import { Fault } from '@hub/contract'
import type { App } from '../core/app.ts'
import * as users from '../db/queries/users.ts'
import type { Network } from '../integrations/notifiers/notifier.ts'
import { failed, refused } from '../integrations/notifiers/text/answer.ts'
import { failpoint } from '../lib/failpoint.ts'
import type { FetchRules } from '../lib/http/fetch-guarded.ts'
import { postGuarded } from '../lib/http/post-guarded.ts'
import { fetchRules } from '../relay/upstream/linked-files.ts'
import { sendEmail } from './mail.ts'

/** An attempt must end before the lease of its target ends. */
const timeoutMs = 10_000
const bytesMax = 64 * 1024

const noAnswer = {
  connection: 'The connection failed.',
  timeout: `It did not answer within ${timeoutMs / 1000} seconds.`,
  size: 'Its answer is too long.',
}

/** Administrators may use any port, and private addresses unless the setting forbids them. */
const rulesOf = (app: App, userId: number): FetchRules => {
  if (userId !== 0) return fetchRules(app)
  const { PrivateAddressesAllowed } = app.settings().channels
  return {
    ports: { has: () => true },
    isExempt: () => PrivateAddressesAllowed,
    nameServers: fetchRules(app).nameServers,
  }
}

/** Limits notifiers to the addresses that their owner may use. Failures contain no address, because some are secrets. */
export const networkOf = (app: App, userId: number): Network => ({
  now: () => app.now(),
  post: async request => {
    failpoint('notification post')
    const headers = { 'user-agent': 'One-Hub', ...request.headers }
    const rules = rulesOf(app, userId)
    const result = await postGuarded({ ...request, headers }, { rules, timeoutMs, bytesMax })
    failpoint('notification answer')
    if (result.ok) return result
    throw result.reason === 'url' || result.reason === 'address'
      ? refused('The address is unknown or not allowed.')
      : failed(noAnswer[result.reason])
  },
  sendEmail: async (address, message) => {
    const to = address || (await ownAddress(app, userId))
    if (to === '') throw refused('The account has no e-mail address.')
    try {
      failpoint('notification post')
      await sendEmail(app, { ...message, to }, message.id)
      failpoint('notification answer')
    } catch (error) {
      if (error instanceof Fault && isFinal(error)) throw refused(error.message)
      throw error
    }
  },
})

/** With these answers a server refuses a mailbox or a message for good. RFC 5321 4.2.2 */
const finalAnswers: readonly unknown[] = [550, 551, 553, 554]

const isFinal = ({ code, cause }: Fault): boolean =>
  code === 'mail.unset' ||
  finalAnswers.includes((cause as { responseCode?: unknown } | undefined)?.responseCode)

const ownAddress = async (app: App, userId: number): Promise<string> =>
  userId === 0 ? '' : ((await users.find(app.db, userId))?.email ?? '')
