import { type BotCommand, botCommands, type TelegramMenu } from '@hub/contract'
import { Bot, type Context, InlineKeyboard } from 'grammy'
import type { App } from '../../core/app.ts'
import { cachedQuery } from '../../core/app-scoped.ts'
import * as menus from '../../db/queries/telegram-menus.ts'
import {
  clientOptions,
  isRefusal,
  type MayCall,
  prepareCalls,
} from '../../integrations/telegram/client.ts'
import { clip, escapeHtml } from '../../integrations/telegram/text.ts'
import { findBoundUser } from './binding.ts'
import { answerCommand, isRechargePrompt, listKeys, type Reply } from './commands.ts'
import { type BotConfig, clientOf } from './config.ts'
import { botTexts, languageOf } from './texts/index.ts'

/** The bot ignores further messages of an account, because nobody types so fast. */
const messagesPerMinute = 30
const disabledStatus = 2

const storedMenus = cachedQuery(['telegram'], app => menus.listAll(app.db))

type MakeBotOptions = {
  /** The bot's own name, without @. */
  username: string
  /** Absent: every node answers, as Telegram calls them. */
  mayCall?: MayCall
}

/** Builds the bot that answers updates. */
export const makeBot = (
  app: App,
  config: BotConfig,
  { username, mayCall }: MakeBotOptions,
): Bot => {
  const client = clientOptions(clientOf(app, config))
  const bot = new Bot(config.token, { client, botInfo: botInfoOf(config.token, username) })
  prepareCalls(bot.api, mayCall)
  bot.use(async (ctx, next) => {
    if (!ctx.from || ctx.from.is_bot) return
    const key = `telegram:${ctx.from.id}`
    if ((await app.state.count(key, 60, messagesPerMinute)).ok) await next()
  })
  bot.on('message:text', ctx => answerMessage(app, ctx))
  bot.on('callback_query:data', ctx => answerButton(app, ctx))
  // Otherwise grammY wraps the error, and stops its own polling, which is not used here.
  bot.catch(({ error }) => {
    // A person may have blocked the bot, or deleted the message with the button.
    if (!isRefusal(error)) throw error
    app.log.info({ err: error }, 'Telegram refused an answer of the bot')
  })
  return bot
}

/** The token begins with the bot's id. https://core.telegram.org/bots/api#authorizing-your-bot */
const botInfoOf = (token: string, username: string) =>
  ({
    id: Number(token.split(':')[0]),
    is_bot: true,
    first_name: username,
    username,
  }) as Bot['botInfo']

type Sender = { id: number; language_code?: string; username?: string; first_name: string }

const requestOf = async (app: App, from: Sender) => ({
  account: { id: from.id, name: from.username ? `@${from.username}` : from.first_name },
  user: await findBoundUser(app, from.id),
  language: languageOf(from.language_code, app.env.language),
})

const answerMessage = async (app: App, ctx: Context & { msg: { text: string } }) => {
  const { text } = ctx.msg
  const isPrivate = ctx.chat?.type === 'private'
  const command = readCommand(text, ctx.me.username)
  const isCode = command === undefined && answersPrompt(ctx)
  const menu = command && (await storedMenus(app).get()).find(each => each.command === command.name)
  const isOwn = command !== undefined && isBotCommand(command.name)
  // A group is not answered unless somebody means the bot.
  if (!isPrivate && !isOwn && !menu) return
  const request = await requestOf(app, ctx.from!)
  const texts = botTexts[request.language]
  if (request.user?.status === disabledStatus) return send(ctx, { html: texts.disabled })
  if (menu) return sendMenu(ctx, menu)
  if (!isPrivate) return send(ctx, { html: texts.privateOnly })
  if (isCode)
    return send(ctx, await answerCommand(app, 'recharge', { ...request, argument: text.trim() }))
  // Anything else gets the list of commands.
  const name = isOwn ? (command.name as BotCommand) : 'start'
  const argument = isOwn ? command.argument : ''
  return send(ctx, await answerCommand(app, name, { ...request, argument }))
}

type Command = { name: string; argument: string }

/** Returns undefined for a text that is no command, or is one for another bot of the group. */
const readCommand = (text: string, username: string): Command | undefined => {
  const found = /^\/([a-z\d_]{1,32})(?:@(\w+))?(?:\s+([\s\S]*))?$/i.exec(text.trim())
  if (!found) return undefined
  const [, name = '', addressee = username, argument = ''] = found
  if (addressee.toLowerCase() !== username.toLowerCase()) return undefined
  return { name: name.toLowerCase(), argument: argument.trim() }
}

const isBotCommand = (name: string): name is BotCommand =>
  (botCommands as readonly string[]).includes(name)

const answersPrompt = (ctx: Context): boolean => {
  const prompt = ctx.msg?.reply_to_message
  return prompt?.from?.id === ctx.me.id && isRechargePrompt(prompt.text)
}

const answerButton = async (app: App, ctx: Context & { callbackQuery: { data: string } }) => {
  const [, page] = /^p:apikey,(\d{1,6})$/.exec(ctx.callbackQuery.data) ?? []
  const { user, language } = await requestOf(app, ctx.from!)
  const isAllowed = page && user && user.status !== disabledStatus
  if (isAllowed && ctx.chat?.type === 'private') {
    const reply = await listKeys(app, { user, language }, Number(page))
    await ctx.editMessageText(reply.html, optionsOf(reply))
  }
  await ctx.answerCallbackQuery(
    user?.status === disabledStatus ? { text: botTexts[language].disabled } : {},
  )
}

const send = async (ctx: Context, reply: Reply): Promise<void> => {
  const options = optionsOf(reply)
  const { placeholder } = reply
  await ctx.reply(
    reply.html,
    placeholder === undefined
      ? options
      : { ...options, reply_markup: { force_reply: true, input_field_placeholder: placeholder } },
  )
}

const optionsOf = ({ buttons = [] }: Reply) => ({
  parse_mode: 'HTML' as const,
  link_preview_options: { is_disabled: true },
  reply_markup: InlineKeyboard.from([
    buttons.map(({ label, data }) => InlineKeyboard.text(label, data)),
  ]),
})

/** Telegram may not parse an imported text. The bot then sends it without markup. */
const sendMenu = async (
  ctx: Context,
  { parse_mode, reply_message }: menus.TelegramMenuRow,
): Promise<void> => {
  const mode = telegramMode(parse_mode as TelegramMenu['parse_mode'])
  try {
    await ctx.reply(reply_message, { parse_mode: mode })
  } catch (error) {
    if (!isRefusal(error) || error.error_code !== 400) throw error
    await ctx.reply(escapeHtml(clip(reply_message)), { parse_mode: 'HTML' })
  }
}

/** The parse mode under the name that Telegram has for it. */
export const telegramMode = (mode: TelegramMenu['parse_mode']) =>
  mode === 'html' ? ('HTML' as const) : mode
