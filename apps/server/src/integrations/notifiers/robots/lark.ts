import { createHmac } from 'node:crypto'
import { z } from 'zod'
import { defineNotifier } from '../notifier.ts'
import { jsonHeaders, requireCode } from '../text/answer.ts'
import { cut, fit, type Plain, toPlain } from '../text/fit.ts'

/** https://open.larksuite.com/document/client-docs/bot-v3/add-custom-bot: a request has at most 20 kB. */
const bytesMax = 18_000
const titleMax = 200

/** Plain text elements have no markup, so that nothing needs an escape. */
const toCard = ({ title, text, link }: Plain, keyword: string) => ({
  header: { template: 'blue', title: { tag: 'plain_text', content: title } },
  elements: [
    {
      tag: 'div',
      text: { tag: 'plain_text', content: [text, keyword].filter(Boolean).join('\n') },
    },
    ...(link
      ? [
          {
            tag: 'action',
            actions: [
              {
                tag: 'button',
                type: 'primary',
                text: { tag: 'plain_text', content: link.label },
                url: link.url,
              },
            ],
          },
        ]
      : []),
  ],
})

export const lark = defineNotifier({
  id: 'lark',
  name: 'Lark',
  config: z.object({
    /** The last part of the address of the robot. */
    token: z
      .string()
      .regex(/^[\w-]{8,128}$/)
      .meta({ secret: true }),
    secret: z.string().max(200).default('').meta({ secret: true }),
    keyword: z.string().trim().max(50).default(''),
    /** `https://open.larksuite.com` outside China. */
    api_root: z
      .url({ protocol: /^https?$/ })
      .max(300)
      .default('https://open.feishu.cn'),
  }),
  /** 100 requests a minute and 5 a second. */
  spacingMs: 700,
  destination: config => config.api_root,
  send: async ({ api_root, token, secret, keyword }, message, network) => {
    const plain = toPlain(message)
    const titled = { ...plain, title: cut(plain.title, titleMax, 'characters') }
    const card = fit(titled, bytesMax, 'bytes', each => JSON.stringify(toCard(each, keyword)))
    const timestamp = String(Math.floor(network.now() / 1000))
    // The text to sign is the key of the HMAC, and its data is empty.
    const sign = () => createHmac('sha256', `${timestamp}\n${secret}`).update('').digest('base64')
    const response = await network.post({
      url: `${api_root.replace(/\/+$/, '')}/open-apis/bot/v2/hook/${token}`,
      headers: jsonHeaders,
      body: JSON.stringify({
        ...(secret && { timestamp, sign: sign() }),
        msg_type: 'interactive',
        card: JSON.parse(card),
      }),
    })
    requireCode(response, {
      ...{ code: 'code', text: 'msg' },
      // 2200: internal error. 9499 and 11232: too many requests.
      passing: { 2200: 10, 9499: 60, 11232: 60 },
    })
  },
})
