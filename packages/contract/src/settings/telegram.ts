import { z } from 'zod'
import { ChannelProxy } from '../channel-fields.ts'
import { boolean } from './fields.ts'

/** The Telegram bot. The address comes first, because another one removes the token. */
export const telegram = z.object({
  /** The address of a Telegram Bot API server of one's own instead. */
  TelegramApiRoot: z
    .url({ protocol: /^https?$/ })
    .max(500)
    .transform(url => url.replace(/\/+$/, ''))
    .default('https://api.telegram.org'),
  /** From @BotFather. */
  TelegramBotToken: z
    .union([
      z.literal(''),
      z.string().regex(/^\d{1,20}:[\w-]{10,200}$/, 'must look like 123456789:AAF…'),
    ])
    .default('')
    .meta({ secret: true }),
  /** `webhook`: Telegram calls this server. `polling`: one node of this server asks Telegram. */
  TelegramUpdateMode: z.enum(['polling', 'webhook']).default('polling'),
  /** HTTP, HTTPS or SOCKS5, for all calls of Telegram. */
  TelegramProxy: ChannelProxy.default('').meta({ secret: true }),
  TelegramBotEnabled: boolean(false),
})
