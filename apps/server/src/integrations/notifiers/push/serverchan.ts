import { z } from 'zod'
import { defineNotifier } from '../notifier.ts'
import { jsonHeaders, requireCode } from '../text/answer.ts'
import { cut, fit, type Plain, toPlain } from '../text/fit.ts'
import { escapeMarkdown, escapeUrl } from '../text/markup.ts'

/** https://sct.ftqq.com/sendkey: a title of 32 characters and 32 kB of text. */
const titleMax = 32
const bytesMax = 32_000

const render = ({ text, link }: Plain) =>
  [escapeMarkdown(text), link && `[${escapeMarkdown(link.label)}](${escapeUrl(link.url)})`]
    .filter(Boolean)
    .join('\n\n')

/** A key of ServerChan 3 contains the number of its host: https://doc.sc3.ft07.com/serverchan3/server/api */
const rootOf = (key: string): string => {
  const [, account] = /^sctp(\d+)t/.exec(key) ?? []
  return account ? `https://${account}.push.ft07.com/send` : 'https://sctapi.ftqq.com'
}

export const serverchan = defineNotifier({
  id: 'serverchan',
  name: 'ServerChan',
  config: z.object({
    send_key: z
      .string()
      .regex(/^[A-Za-z\d]{8,128}$/)
      .meta({ secret: true }),
    /** Empty: the service that the key belongs to. */
    api_root: z.union([z.literal(''), z.url({ protocol: /^https?$/ }).max(300)]).default(''),
  }),
  spacingMs: 1000,
  destination: config => config.api_root,
  send: async ({ send_key, api_root }, message, network) => {
    const plain = toPlain(message)
    const root = (api_root || rootOf(send_key)).replace(/\/+$/, '')
    const response = await network.post({
      url: `${root}/${send_key}.send`,
      headers: jsonHeaders,
      body: JSON.stringify({
        title: cut(plain.title, titleMax, 'units') || '-',
        desp: fit({ ...plain, title: '' }, bytesMax, 'bytes', render),
      }),
    })
    requireCode(response, { code: 'code', text: 'message', passing: { 40011: 60 } })
  },
})
