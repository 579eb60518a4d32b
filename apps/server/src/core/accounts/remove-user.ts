import { Fault } from '@hub/contract'
import * as accounts from '../../db/queries/accounts.ts'
import * as invitations from '../../db/queries/invitations.ts'
import * as localConversations from '../../db/queries/local-conversations.ts'
import * as localResponses from '../../db/queries/local-responses.ts'
import * as targets from '../../db/queries/notification-targets.ts'
import * as passkeys from '../../db/queries/passkeys.ts'
import * as secondFactors from '../../db/queries/second-factors.ts'
import * as sessions from '../../db/queries/sessions.ts'
import * as storedImages from '../../db/queries/stored-images.ts'
import * as tokens from '../../db/queries/tokens.ts'
import * as users from '../../db/queries/users.ts'
import { randomText } from '../../lib/random.ts'
import { type App, nowSeconds } from '../app.ts'

/**
 * Deletes an account: every way in ends, and personal data goes. The row stays under another name, because logs and the
 * ledger refer to it. Running calls still settle; the frozen account starts no others.
 */
export const removeUser = (app: App, id: number): Promise<void> =>
  app.db.transaction().execute(async tx => {
    await users.lock(tx, id)
    // Also locks the topic, so that two super administrators cannot delete each other at once.
    await tokens.announceChange(tx, { user_id: id })
    const suffix = randomText(8).replace(/\W/g, '').slice(0, 6)
    if (!(await users.remove(tx, id, nowSeconds(app), suffix)))
      throw new Fault((await users.find(tx, id)) ? 'user.last_root' : 'resource.missing')
    await sessions.endAllOfUser(tx, id)
    await secondFactors.remove(tx, id)
    await passkeys.removeAllOfUser(tx, id)
    await users.removeIdentities(tx, id)
    await invitations.forgetAddress(tx, id)
    await localResponses.removeOfUser(tx, id)
    await localConversations.removeOfUser(tx, id)
    await storedImages.expireAllOfUser(tx, id)
    await targets.removeAllOfUser(tx, id)
    await accounts.setFrozen(tx, id, 1)
  })
