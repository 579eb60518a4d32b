import { Fault } from '@hub/contract'
import type { App } from '../../core/app.ts'
import { required } from '../../core/crud.ts'
import type { HttpContext } from '../../core/implement.ts'
import { issueToken, redeemToken } from '../../core/sign-in/one-time-codes.ts'
import { notifyOwner } from '../../core/sign-in/send-email.ts'
import { botUsername } from '../../core/telegram-bot.ts'
import * as identities from '../../db/queries/identities.ts'
import * as users from '../../db/queries/users.ts'
import type { BindOutcome } from './texts/index.ts'

const provider = 'telegram'
const linkSeconds = 600

/** Makes an address that opens the bot with a code, which binds one account of Telegram. */
export const makeBindLink = async (
  app: App,
  userId: number,
  { language, ip }: Pick<HttpContext, 'language' | 'ip'>,
) => {
  const username = await botUsername(app)
  if (username === '') throw new Fault('telegram.off')
  const bound = await identities.listOfUser(app.db, userId)
  if (bound.some(each => each.sign_in === provider)) throw new Fault('oauth.bound_other')
  const payload = { userId, language, ip }
  // 43 characters of the 64 that Telegram allows. https://core.telegram.org/bots/features#deep-linking
  const code = await issueToken(app, app.db, 'telegram-bind', payload, linkSeconds)
  return { url: `https://t.me/${username}?start=${code}`, code, expires_in: linkSeconds }
}

export type TelegramAccount = { id: number; name: string }

export const findBoundUser = async (app: App, telegramId: number) => {
  const identity = await identities.find(app.db, provider, String(telegramId))
  return identity && users.find(app.db, identity.user_id)
}

type Bound = { outcome: BindOutcome; name: string }

/** Uses the code up. If several accounts send it at once, one of them is bound. */
export const bindByCode = (app: App, code: string, account: TelegramAccount): Promise<Bound> =>
  app.db.transaction().execute(async tx => {
    const owner = await identities.find(tx, provider, String(account.id))
    const bound = owner && (await users.find(tx, owner.user_id))
    const payload = await redeemToken(app, tx, 'telegram-bind', code)
    if (!payload) return { outcome: bound ? 'already' : 'expired', name: bound?.username ?? '' }
    const user = required(await users.find(tx, payload.userId))
    const { username: name } = user
    const label = account.name.slice(0, 100)
    const row = { user_id: user.id, sign_in: provider, subject: String(account.id), label }
    if (await identities.insertIfFree(tx, row)) {
      await notifyOwner(app, tx, user, 'telegram-added', payload)
      return { outcome: 'bound', name }
    }
    if (bound?.id === user.id) return { outcome: 'already', name }
    return { outcome: bound ? 'taken' : 'other', name }
  })

/** Removes the binding. Returns false if there was none. */
export const unbindTelegram = (
  app: App,
  userId: number,
  context: Pick<HttpContext, 'language' | 'ip'>,
): Promise<boolean> =>
  app.db.transaction().execute(async tx => {
    const user = required(await users.find(tx, userId))
    if (!(await identities.remove(tx, userId, provider))) return false
    await notifyOwner(app, tx, user, 'telegram-removed', context)
    return true
  })
