import { createHmac } from 'node:crypto'
import { z } from 'zod'
import { defineNotifier } from '../notifier.ts'
import { jsonHeaders, requireCode } from '../text/answer.ts'
import { cut, fit, type Plain, toPlain } from '../text/fit.ts'
import { escapeUrl, neutralizeMarkdown } from '../text/markup.ts'

/** https://open.dingtalk.com/document/robots/custom-robot-access: a request has at most 20,000 bytes. */
const bytesMax = 18_000
const titleMax = 100

const render =
  (keyword: string) =>
  ({ title, text, link }: Plain) =>
    [
      title && `### ${neutralizeMarkdown(title)}`,
      neutralizeMarkdown(text),
      link && `[${neutralizeMarkdown(link.label)}](${escapeUrl(link.url)})`,
      keyword && neutralizeMarkdown(keyword),
    ]
      .filter(Boolean)
      .join('\n\n')

export const dingtalk = defineNotifier({
  id: 'dingtalk',
  name: 'DingTalk',
  config: z.object({
    access_token: z
      .string()
      .regex(/^\w{16,128}$/)
      .meta({ secret: true }),
    /** The robot's security setting "signature" shows this secret. It is empty for a robot without that setting. */
    secret: z.string().max(200).default('').meta({ secret: true }),
    /** A robot with the security setting "keyword" refuses messages without this word. */
    keyword: z.string().trim().max(50).default(''),
    api_root: z
      .url({ protocol: /^https?$/ })
      .max(300)
      .default('https://oapi.dingtalk.com'),
  }),
  /** 20 messages a minute; a robot that exceeds them is blocked for 10 minutes. */
  spacingMs: 3100,
  destination: config => config.api_root,
  send: async ({ api_root, access_token, secret, keyword }, message, network) => {
    const url = new URL(`${api_root.replace(/\/+$/, '')}/robot/send`)
    url.searchParams.set('access_token', access_token)
    if (secret) {
      const timestamp = String(network.now())
      url.searchParams.set('timestamp', timestamp)
      const hmac = createHmac('sha256', secret).update(`${timestamp}\n${secret}`)
      url.searchParams.set('sign', hmac.digest('base64'))
    }
    const plain = toPlain(message)
    const text = fit(plain, bytesMax, 'jsonBytes', render(keyword))
    const markdown = { title: cut(plain.title, titleMax, 'characters'), text }
    const body = JSON.stringify({ msgtype: 'markdown', markdown })
    const response = await network.post({ url: url.href, headers: jsonHeaders, body })
    requireCode(response, {
      ...{ code: 'errcode', text: 'errmsg' },
      // -1: busy. 130101 and 90030: too many messages. 310000 with other texts is a wrong sign or keyword.
      passing: { '-1': 10, 130101: 600, 90030: 600 },
    })
  },
})
