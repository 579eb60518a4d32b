import type { Generated } from 'kysely'

/** Commands of the Telegram bot that an operator added. */
export type TelegramMenusTable = {
  id: Generated<number>
  /** Unique, without the slash. */
  command: string
  description: string
  /** `MarkdownV2`, `Markdown` or `html`. */
  parse_mode: string
  reply_message: string
}

/** The node that runs the bot, and what it last reported. One row, of id 1. */
export type TelegramBotTable = {
  id: number
  /** The epoch of the node. 0: none. */
  epoch: number
  /** `webhook` or `polling`; empty until the node has spoken with Telegram. */
  mode: string
  /** Keyed hash of the token to which `username` belongs. */
  token_hash: string
  username: string
  last_error: string
  last_error_at: number
}
