import { contract, Fault } from '@hub/contract'
import type { z } from 'zod'
import type { App } from '../../core/app.ts'
import { required } from '../../core/crud.ts'
import { type HttpContext, implement, type SignedInUser } from '../../core/implement.ts'
import { requireFreshProof } from '../../core/sign-in/fresh-proof.ts'
import * as users from '../../db/queries/users.ts'
import { bindAccount, listIdentities, unbindAccount } from './bindings.ts'
import { discoverIssuer } from './discover.ts'
import { beginAuthorization, confirmAccount, issuePlainState, redeemState } from './flow.ts'
import { getProvider } from './providers.ts'
import { signInByAccount } from './sign-in.ts'
import { weChatHandlers } from './wechat.ts'

const { callback } = contract.oauth.endpoints

export const oauth = implement(contract.oauth, {
  ...weChatHandlers,
  state: (app, _caller, _input, context) => issuePlainState(app, context),
  endpoint: async (app, _caller, { provider }, context) =>
    beginAuthorization(app, await getProvider(app, provider), context),
  identities: (app, caller) => listIdentities(app, caller),
  bind: async (app, { userId }, { type, ...proof }, context) => {
    const chosen = await getProvider(app, type)
    const session = context.sessionHash()
    // The callback comes with the cookie of a browser, which a script with an access token has not.
    if (session === '') throw new Fault('session.missing')
    await requireFreshProof(app, context, required(await users.find(app.db, userId)), proof)
    return beginAuthorization(app, chosen, context, { userId, session })
  },
  callback: (app, caller, input, context) => finish(app, caller, input, context),
  discover: (app, _caller, { issuer }) => discoverIssuer(app, issuer),
  unbind: async (app, { userId }, { type, ...proof }, context) => {
    await requireFreshProof(app, context, required(await users.find(app.db, userId)), proof)
    await unbindAccount(app, userId, type, context)
    return null
  },
})

/** The state alone decides between sign-in and binding: a session that happens to exist binds nothing. */
const finish = async (
  app: App,
  caller: SignedInUser | null,
  { provider, code, state, iss, aff }: z.output<typeof callback.input>,
  context: HttpContext,
): Promise<z.input<typeof callback.response>> => {
  const { chosen, userId, session, ...request } = await redeemState(
    app,
    { provider, state },
    context,
  )
  if (userId !== 0 && (caller?.userId !== userId || context.sessionHash() !== session))
    throw new Fault('oauth.state')
  const account = await confirmAccount(chosen, { ...request, state, code, iss })
  const { signIn, id } = chosen
  if (userId !== 0) {
    await bindAccount(app, userId, { signIn, account }, context)
    return { success: true, message: 'bind', data: null }
  }
  const arrival = { signIn, providerId: id, account, inviteCode: aff }
  return { success: true, message: '', data: await signInByAccount(app, arrival, context) }
}
