import { type BotCommand, Fault, RedeemInput } from '@hub/contract'
import { redeem } from '../../billing/orders/redeem-code.ts'
import type { App } from '../../core/app.ts'
import type { EmailLanguage } from '../../core/define-job.ts'
import type { SignedInUser } from '../../core/implement.ts'
import { auditedSecret } from '../../core/secrets/audited-secret.ts'
import { siteUrl } from '../../core/site/address.ts'
import * as tokens from '../../db/queries/tokens.ts'
import * as users from '../../db/queries/users.ts'
import { escapeHtml } from '../../integrations/telegram/text.ts'
import { withAudit } from './audit.ts'
import { bindByCode, type TelegramAccount, unbindTelegram } from './binding.ts'
import { type BotTexts, botTexts, type RedeemFailure } from './texts/index.ts'

/** A message of the bot in HTML. */
export type Reply = {
  html: string
  /** The person is asked to answer this message. */
  placeholder?: string
  buttons?: { label: string; data: string }[]
}

export type Request = {
  account: TelegramAccount
  /** The user to whom the account is bound. */
  user: users.UserRow | undefined
  language: EmailLanguage
  /** The text after the command. */
  argument: string
}

type BoundRequest = Request & { user: users.UserRow }
type CommandHandler<R> = (app: App, request: R, texts: BotTexts) => Promise<Reply> | Reply

const keysPerPage = 5
/** The log names this as the address of a redemption, as in One Hub. */
const ip = 'telegram'

/** Answers a command of the bot itself. */
export const answerCommand = async (
  app: App,
  command: BotCommand,
  request: Request,
): Promise<Reply> => {
  const texts = botTexts[request.language]
  const { user } = request
  if (command === 'start' || command === 'bind') return answerStart(app, request, texts)
  if (!user) return notBound(app, texts)
  return answers[command](app, { ...request, user }, texts)
}

/** The prompt after which a message is taken as a redemption code. */
export const isRechargePrompt = (text: string | undefined): boolean =>
  Object.values(botTexts).some(texts => texts.rechargePrompt === text)

const answerStart = async (
  app: App,
  { account, argument, user }: Request,
  texts: BotTexts,
): Promise<Reply> => {
  if (argument !== '') {
    const { outcome, name } = await bindByCode(app, argument, account)
    return { html: texts.bind[outcome](escapeHtml(name)) }
  }
  const commands = Object.entries(texts.commands).map(([name, text]) => `/${name} – ${text}`)
  const site = escapeHtml(app.settings().site.SystemName)
  const greeting = [texts.welcome(site), commands.join('\n')]
  if (!user) greeting.push(notBound(app, texts).html)
  return { html: greeting.join('\n\n') }
}

const notBound = (app: App, texts: BotTexts): Reply => ({
  html: texts.notBound(page(app, '/panel/profile')),
})

const answers: Record<Exclude<BotCommand, 'start' | 'bind'>, CommandHandler<BoundRequest>> = {
  unbind: async (app, { user, language }, texts) => {
    const command = { caller: callerOf(user), action: 'telegram.unbind', input: {} } as const
    await withAudit(app, command, () => unbindTelegram(app, user.id, { language, ip }))
    return { html: texts.unbound }
  },
  balance: (app, { user }, texts) => ({
    html: texts.balance({
      left: amount(app, user.balance ?? 0),
      used: amount(app, user.used ?? 0),
      requests: String(user.requests ?? 0),
    }),
  }),
  recharge: async (app, { user, argument }, texts) => {
    if (argument === '')
      return { html: texts.rechargePrompt, placeholder: texts.rechargePlaceholder }
    const code = RedeemInput.safeParse({ key: argument })
    if (!code.success) return { html: texts.rechargeFailed.unknown }
    try {
      const caller = callerOf(user)
      const input = { key: auditedSecret(app, code.data.key) }
      const points = await withAudit(app, { caller, action: 'profile.redeem', input }, () =>
        redeem(app, caller, code.data),
      )
      const { quota } = users.asUser((await users.find(app.db, user.id)) ?? user)
      return { html: texts.recharged(amount(app, points), amount(app, quota)) }
    } catch (error) {
      return { html: texts.rechargeFailed[redeemFailure(error)] }
    }
  },
  apikey: (app, request) => listKeys(app, request, 1),
  aff: (app, { user }, texts) => {
    const { aff_code, aff_count, aff_quota } = users.asUser(user)
    return {
      html: texts.invitation({
        code: escapeHtml(aff_code),
        url: page(app, `/register?aff=${encodeURIComponent(aff_code)}`),
        count: String(aff_count),
        reward: amount(app, aff_quota),
      }),
    }
  },
}

/** One page of the names and masked keys of the user. */
export const listKeys = async (
  app: App,
  { user, language }: Pick<BoundRequest, 'user' | 'language'>,
  requestedPage: number,
): Promise<Reply> => {
  const texts = botTexts[language]
  const url = page(app, '/panel/token')
  const paging = { page: Math.max(1, requestedPage), size: keysPerPage }
  const { data, total_count } = await tokens.list(app.db, user.id, paging)
  if (total_count === 0) return { html: texts.noKeys(url) }
  const lines = data.map(
    ({ name, key_masked }) => `<b>${escapeHtml(name)}</b>\n<code>${escapeHtml(key_masked)}</code>`,
  )
  const buttons = []
  const { page: current } = paging
  if (current > 1) buttons.push({ label: texts.previousPage, data: keysPage(current - 1) })
  if (current * keysPerPage < total_count)
    buttons.push({ label: texts.nextPage, data: keysPage(current + 1) })
  return { html: texts.keys(lines.join('\n\n'), url), buttons }
}

/** The data of a button, as in One Hub. */
const keysPage = (page: number) => `p:apikey,${page}`

const callerOf = ({ id, username, role, group }: users.UserRow): SignedInUser => ({
  userId: id,
  username,
  role: role as SignedInUser['role'],
  group,
  ip,
  requestId: '',
  provedAt: null,
})

const redeemFailures: Readonly<Record<string, RedeemFailure>> = {
  'redemption.unknown': 'unknown',
  'redemption.used': 'used',
  'redemption.disabled': 'disabled',
  'redemption.expired': 'expired',
  'redemption.own_rank': 'own_rank',
  'rate.critical': 'too_many',
}

const redeemFailure = (error: unknown): RedeemFailure => {
  const failure = error instanceof Fault ? redeemFailures[error.code] : undefined
  if (!failure) throw error
  return failure
}

/** An address of the console, escaped. */
const page = (app: App, path: string): string | undefined => {
  const url = siteUrl(app, path)
  return url && escapeHtml(url)
}

const amount = (app: App, points: number): string => {
  const { DisplayInCurrencyEnabled, QuotaPerUnit } = app.settings().site
  return DisplayInCurrencyEnabled ? `$${(points / QuotaPerUnit).toFixed(2)}` : String(points)
}
