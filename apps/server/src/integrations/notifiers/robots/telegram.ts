import { z } from 'zod'
import { defineNotifier } from '../notifier.ts'
import { failed, jsonHeaders, readObject, refused } from '../text/answer.ts'
import { fit, type Plain, toPlain } from '../text/fit.ts'
import { escapeHtml } from '../text/markup.ts'

/** https://core.telegram.org/bots/api#sendmessage: UTF-16 code units after the entities are parsed. */
const unitsMax = 4096

const render = ({ title, text, link }: Plain) =>
  [
    title && `<b>${escapeHtml(title)}</b>`,
    escapeHtml(text),
    link && `<a href="${escapeHtml(link.url)}">${escapeHtml(link.label)}</a>`,
  ]
    .filter(Boolean)
    .join('\n\n')

export const telegram = defineNotifier({
  id: 'telegram',
  name: 'Telegram',
  config: z.object({
    bot_token: z
      .string()
      .regex(/^\d{1,20}:[\w-]{20,100}$/, 'must be the token of a bot')
      .meta({ secret: true }),
    /** A number, or the name of a channel. */
    chat_id: z.string().regex(/^(-?\d{1,20}|@\w{3,64})$/, 'must be a number or @name'),
    /** https://core.telegram.org/bots/api#using-a-local-bot-api-server */
    api_root: z
      .url({ protocol: /^https?$/ })
      .max(300)
      .default('https://api.telegram.org'),
  }),
  /** 20 messages a minute in one group: https://core.telegram.org/bots/faq#broadcasting-to-users */
  spacingMs: 3000,
  destination: config => config.api_root,
  send: async ({ api_root, bot_token, chat_id }, message, network) => {
    const response = await network.post({
      url: `${api_root.replace(/\/+$/, '')}/bot${bot_token}/sendMessage`,
      headers: jsonHeaders,
      body: JSON.stringify({
        chat_id,
        text: fit(toPlain(message), unitsMax, 'units', render),
        parse_mode: 'HTML',
        link_preview_options: { is_disabled: true },
      }),
    })
    const { ok, error_code, description, parameters } = readObject(response)
    if (ok === true) return
    const text = `${String(error_code ?? response.status)} ${String(description ?? '')}`
    const wait = (parameters as { retry_after?: unknown } | undefined)?.retry_after
    if (error_code === 429) throw failed(text, typeof wait === 'number' ? wait : undefined)
    throw Number(error_code ?? 500) >= 500 ? failed(text) : refused(text)
  },
})
