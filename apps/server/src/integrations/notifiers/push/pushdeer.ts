import { z } from 'zod'
import { defineNotifier } from '../notifier.ts'
import { jsonHeaders, refused, requireCode } from '../text/answer.ts'
import { fit, type Plain, toPlain } from '../text/fit.ts'
import { escapeMarkdown, escapeUrl } from '../text/markup.ts'

/** The service documents no limit. Its text column holds 65,535 bytes. */
const bytesMax = 32_000

const render = ({ text, link }: Plain) =>
  [escapeMarkdown(text), link && `[${escapeMarkdown(link.label)}](${escapeUrl(link.url)})`]
    .filter(Boolean)
    .join('\n\n')

/** https://github.com/easychen/pushdeer, `POST /message/push` */
export const pushdeer = defineNotifier({
  id: 'pushdeer',
  name: 'PushDeer',
  config: z.object({
    url: z
      .url({ protocol: /^https?$/ })
      .max(300)
      .default('https://api2.pushdeer.com'),
    push_key: z
      .string()
      .regex(/^\w{8,128}$/)
      .meta({ secret: true }),
  }),
  spacingMs: 1000,
  destination: config => config.url,
  send: async ({ url, push_key }, message, network) => {
    const plain = toPlain(message)
    const response = await network.post({
      url: `${url.replace(/\/+$/, '')}/message/push`,
      headers: jsonHeaders,
      body: JSON.stringify({
        pushkey: push_key,
        text: plain.title,
        desp: fit({ ...plain, title: '' }, bytesMax, 'bytes', render),
        type: 'markdown',
      }),
    })
    const answer = requireCode(response, { code: 'code', text: 'error' })
    // A wrong key is no error there: the message then has no receivers.
    const receivers = (answer.content as { result?: unknown } | undefined)?.result
    if (Array.isArray(receivers) && receivers.length === 0) throw refused('No device has this key.')
  },
})
