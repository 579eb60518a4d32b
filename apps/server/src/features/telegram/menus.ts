import { Fault, type TelegramMenu } from '@hub/contract'
import type { App } from '../../core/app.ts'
import { changeAndNotify } from '../../core/crud.ts'
import * as rows from '../../db/queries/telegram-menus.ts'
import { errorLine, isRefusal, makeTelegramApi } from '../../integrations/telegram/client.ts'
import { telegramMode } from './bot.ts'
import { registerCommands } from './bot-run.ts'
import { botConfig, clientOf } from './config.ts'

/** Adds a command, or replaces the one with the id. Throws `resource.missing` or `resource.exists`. */
export const saveMenu = async (
  app: App,
  { id, ...menu }: TelegramMenu,
): Promise<rows.TelegramMenuRow> => {
  await checkByTelegram(app, menu)
  const row = await changeAndNotify(app, 'telegram', async tx => {
    if (id === 0) return rows.insert(tx, menu)
    if (!(await rows.find(tx, id))) throw new Fault('resource.missing')
    return rows.update(tx, id, menu)
  })
  if (!row) throw new Fault('resource.exists')
  return row
}

/**
 * Telegram parses a text before it looks for the chat. A message to the bot itself, which may never be sent, shows
 * whether the text parses. An unreachable Telegram refuses nothing: the text was parsed here already.
 */
const checkByTelegram = async (
  app: App,
  { parse_mode, reply_message }: Omit<TelegramMenu, 'id'>,
): Promise<void> => {
  const config = botConfig(app)
  if (!config) return
  const chat = Number(config.token.split(':')[0])
  try {
    const api = makeTelegramApi(clientOf(app, config))
    await api.sendMessage(chat, reply_message, { parse_mode: telegramMode(parse_mode) })
  } catch (error) {
    const isUnparsed = isRefusal(error) && /can't parse|too long|is empty/.test(error.description)
    if (isUnparsed) throw new Fault('telegram.refused', { hint: error.description })
  }
}

/** Sends the list of commands to Telegram. Throws `telegram.off`, `telegram.refused` or `telegram.unreachable`. */
export const reloadCommands = async (app: App): Promise<void> => {
  const config = botConfig(app)
  if (!config) throw new Fault('telegram.off')
  try {
    await registerCommands(app, makeTelegramApi(clientOf(app, config)))
  } catch (cause) {
    const code = isRefusal(cause) ? 'telegram.refused' : 'telegram.unreachable'
    throw new Fault(code, { hint: errorLine(cause), cause })
  }
}
