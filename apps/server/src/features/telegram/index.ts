import { contract, Fault, type TelegramMenu, type TelegramState } from '@hub/contract'
import type { App } from '../../core/app.ts'
import { changeAndNotify, mapPage, required, requireMatch } from '../../core/crud.ts'
import { type Handlers, implement } from '../../core/implement.ts'
import { requireFreshProof } from '../../core/sign-in/fresh-proof.ts'
import { botUsername } from '../../core/telegram-bot.ts'
import * as bot from '../../db/queries/telegram-bot.ts'
import * as rows from '../../db/queries/telegram-menus.ts'
import * as users from '../../db/queries/users.ts'
import { makeBindLink, unbindTelegram } from './binding.ts'
import { botConfig } from './config.ts'

/** Loads the bot's library at the first use, since most installations have no bot. */
const loadMenus = () => import('./menus.ts')

const saveMenu = async (app: App, menu: TelegramMenu) =>
  asMenu(await (await loadMenus()).saveMenu(app, menu))

const asMenu = (row: rows.TelegramMenuRow): TelegramMenu => ({
  ...row,
  parse_mode: row.parse_mode as TelegramMenu['parse_mode'],
})

const handlers: Handlers<typeof contract.telegram.endpoints> = {
  list: (app, _caller, input) => mapPage(rows.list(app.db, input), asMenu),
  get: async (app, _caller, { id }) => asMenu(required(await rows.find(app.db, id))),
  create: (app, _caller, menu) => saveMenu(app, menu),
  update: (app, _caller, menu) => saveMenu(app, menu),
  remove: (app, _caller, { id }) =>
    changeAndNotify(app, 'telegram', tx => requireMatch(rows.remove(tx, id))),
  status: app => describeBot(app),
  reload: async app => {
    const { reloadCommands } = await loadMenus()
    await reloadCommands(app)
    return null
  },
  link: async (app, { userId }, proof, context) => {
    await requireFreshProof(app, context, required(await users.find(app.db, userId)), proof)
    return makeBindLink(app, userId, context)
  },
  unbind: async (app, { userId }, proof, context) => {
    await requireFreshProof(app, context, required(await users.find(app.db, userId)), proof)
    if (!(await unbindTelegram(app, userId, context))) throw new Fault('oauth.not_bound')
    return null
  },
}

export const telegram = implement(contract.telegram, handlers)

const describeBot = async (app: App): Promise<TelegramState> => {
  const report = await bot.find(app.db)
  const state = botConfig(app) ? runningState(report) : 'off'
  const isWebhook = state === 'webhook'
  return {
    status: isWebhook || state === 'polling',
    is_webhook: isWebhook,
    state,
    node: report?.epoch ?? 0,
    username: await botUsername(app),
    last_error: report?.last_error ?? '',
    last_error_time: report?.last_error_at ?? 0,
  }
}

type BotReport = Awaited<ReturnType<typeof bot.find>>

const runningState = (report: BotReport): TelegramState['state'] => {
  if (report?.mode === 'webhook' || report?.mode === 'polling') return report.mode
  return report?.last_error ? 'failed' : 'starting'
}
