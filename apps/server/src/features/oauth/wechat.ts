import { Fault, type weChatEndpoints } from '@hub/contract'
import type { App } from '../../core/app.ts'
import { required } from '../../core/crud.ts'
import type { Handlers, HttpContext } from '../../core/implement.ts'
import { isInEffect, openSecret } from '../../core/secrets/setting-secrets.ts'
import { requireFreshProof } from '../../core/sign-in/fresh-proof.ts'
import {
  attemptToken,
  claimOnce,
  issueToken,
  redeemToken,
} from '../../core/sign-in/one-time-codes.ts'
import * as users from '../../db/queries/users.ts'
import { redeemWeChatCode } from '../../integrations/sign-in/wechat.ts'
import { bindAccount } from './bindings.ts'
import { isSubject } from './flow.ts'
import { providerFetch } from './network.ts'
import { signInByAccount } from './sign-in.ts'

const stateSeconds = 180
/** The helper accepts a code for three minutes, however often it is asked. */
const codeSeconds = 600
const signIn = 'wechat'

/** Sign-in by an official account of WeChat: the user follows it and types the code that it sends. */
export const weChatHandlers: Handlers<typeof weChatEndpoints> = {
  beginWeChat: async (app, _caller, _input, context) => {
    requireEnabled(app)
    const payload = { browser: context.markBrowser() }
    const state = await issueToken(app, app.db, 'wechat-state', payload, stateSeconds)
    return { state, expires_in: stateSeconds }
  },
  loginByWeChat: async (app, _caller, { aff, ...answer }, context) => {
    const account = await confirmCode(app, answer, context)
    const arrival = { signIn, providerId: signIn, account, inviteCode: aff }
    return signInByAccount(app, arrival, context)
  },
  bindWeChat: async (app, { userId }, { wechat_code, state, ...proof }, context) => {
    requireEnabled(app)
    await requireFreshProof(app, context, required(await users.find(app.db, userId)), proof)
    const account = await confirmCode(app, { code: wechat_code, state }, context)
    await bindAccount(app, userId, { signIn, account }, context)
    return null
  },
}

const requireEnabled = (app: App) => {
  if (!isInEffect(app, 'WeChatAuthEnabled')) throw new Fault('oauth.disabled')
}

/** The helper has no state of its own, so that guesses are limited by ours, and each code is accepted once. */
const confirmCode = async (
  app: App,
  { code, state }: { code: string; state: string },
  context: HttpContext,
) => {
  requireEnabled(app)
  const pending = await attemptToken(app, 'wechat-state', state)
  if (!pending || pending.browser !== context.markedBrowser()) throw new Fault('oauth.state')
  const subject = await redeemWeChatCode({
    address: app.settings().oauth.WeChatServerAddress,
    token: openSecret(app, 'WeChatServerToken'),
    fetch: providerFetch(app),
    code,
  })
  if (!isSubject(subject)) throw new Fault('wechat.code_wrong')
  if (!(await redeemToken(app, app.db, 'wechat-state', state))) throw new Fault('oauth.state')
  if (!(await claimOnce(app, app.db, 'wechat-code', code, codeSeconds)))
    throw new Fault('wechat.code_wrong')
  return {
    ...{ authority: '', subject, label: '', username: '', displayName: '' },
    ...{ verifiedEmail: '', avatarUrl: '' },
  }
}
