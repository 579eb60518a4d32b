import { z } from 'zod'
import {
  del,
  get,
  Id,
  ListQuery,
  NoData,
  NoInput,
  orderQuery,
  pageOf,
  post,
  put,
  resource,
} from './resource.ts'
import { FreshProof } from './second-factor.ts'
import { parseTelegramMarkup, telegramParseModes } from './telegram-markup/index.ts'

/** The commands that the bot has itself. */
export const botCommands = [
  'start',
  'bind',
  'unbind',
  'balance',
  'recharge',
  'apikey',
  'aff',
] as const
export type BotCommand = (typeof botCommands)[number]

const ParseMode = z.enum(telegramParseModes)

export const TelegramMenu = z.object({
  id: z.number(),
  command: z.string(),
  description: z.string(),
  parse_mode: ParseMode,
  reply_message: z.string(),
})
export type TelegramMenu = z.output<typeof TelegramMenu>

const menuFields = {
  /** https://core.telegram.org/bots/api#botcommand */
  command: z
    .string()
    .trim()
    .regex(/^[a-z\d_]{1,32}$/, 'must be 1 to 32 small letters, digits and underscores')
    .refine(
      command => !(botCommands as readonly string[]).includes(command),
      'is a command of the bot itself',
    ),
  description: z.string().trim().min(1).max(255),
  parse_mode: ParseMode.default('MarkdownV2'),
  reply_message: z.string().min(1).max(20_000),
}

type MenuText = Pick<TelegramMenu, 'parse_mode' | 'reply_message'>

const refuseBadMarkup = ({ parse_mode, reply_message }: MenuText, context: z.RefinementCtx) => {
  const parsed = parseTelegramMarkup(parse_mode, reply_message)
  if (!parsed.ok) context.addIssue({ code: 'custom', path: ['reply_message'], message: parsed.why })
}

export const NewTelegramMenu = z.object(menuFields).superRefine(refuseBadMarkup)
export const TelegramMenuChange = z
  .object({ id: z.number().int().positive(), ...menuFields })
  .superRefine(refuseBadMarkup)

export const TelegramState = z.object({
  /** The bot answers. */
  status: z.boolean(),
  is_webhook: z.boolean(),
  /** `starting` lasts until a node has spoken with Telegram; `failed` names `last_error`. */
  state: z.enum(['off', 'starting', 'webhook', 'polling', 'failed']),
  /** The epoch of the node that polls, or that has set the webhook. 0: none. */
  node: z.number(),
  /** The bot's name, without @. */
  username: z.string(),
  /** The newest failure since the bot was started. */
  last_error: z.string(),
  /** 0: none. */
  last_error_time: z.number(),
})
export type TelegramState = z.output<typeof TelegramState>

const list = ListQuery.extend({ order: orderQuery('id', 'command', 'description', 'parse_mode') })

export const telegram = resource('/api', {
  list: get('/option/telegram/', {
    access: 'root',
    input: list,
    response: pageOf(TelegramMenu),
    summary: 'The bot’s own commands; `keyword` is an id or the beginning of a command',
  }),
  status: get('/option/telegram/status', {
    access: 'root',
    input: NoInput,
    response: TelegramState,
    summary: 'Whether the Telegram bot runs, and how',
  }),
  get: get('/option/telegram/:id', {
    access: 'root',
    input: Id,
    response: TelegramMenu,
    summary: 'One command',
  }),
  create: post('/option/telegram/', {
    access: 'root',
    /** 0: a new command. Otherwise the command is replaced, as in One Hub. */
    input: z
      .object({ id: z.number().int().min(0).default(0), ...menuFields })
      .superRefine(refuseBadMarkup),
    response: TelegramMenu,
    summary: 'Adds a command, or replaces the one with this id',
  }),
  update: put('/option/telegram/', {
    access: 'root',
    input: TelegramMenuChange,
    response: TelegramMenu,
    summary: 'Replaces a command',
  }),
  remove: del('/option/telegram/:id', {
    access: 'root',
    input: Id,
    response: NoData,
    summary: 'Deletes a command',
  }),
  reload: put('/option/telegram/reload', {
    access: 'root',
    input: NoInput,
    response: NoData,
    summary: 'Sends the list of commands to Telegram',
  }),
  link: post('/user/telegram', {
    access: 'user',
    input: FreshProof,
    response: z.object({
      url: z.string(),
      /** For those whose app does not open the link: `/bind CODE` in a chat with the bot. */
      code: z.string().meta({ secret: true }),
      expires_in: z.number(),
    }),
    limit: 'starts',
    audit: true,
    summary: 'An address that binds a Telegram account once, within ten minutes',
  }),
  unbind: del('/user/telegram', {
    access: 'user',
    input: FreshProof,
    response: NoData,
    audit: true,
    summary: 'Removes the bound Telegram account',
  }),
})
