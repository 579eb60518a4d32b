import { z } from 'zod'
import { defineNotifier } from '../notifier.ts'
import { jsonHeaders, requireCode } from '../text/answer.ts'
import { fit, type Plain, toPlain } from '../text/fit.ts'
import { escapeUrl, neutralizeMarkdown } from '../text/markup.ts'

/** https://developer.work.weixin.qq.com/document/path/91770: `markdown.content` has at most 4,096 bytes of UTF-8. */
const bytesMax = 4096

const render = ({ title, text, link }: Plain) =>
  [
    title && `**${neutralizeMarkdown(title)}**`,
    neutralizeMarkdown(text),
    link && `[${neutralizeMarkdown(link.label)}](${escapeUrl(link.url)})`,
  ]
    .filter(Boolean)
    .join('\n\n')

export const wecom = defineNotifier({
  id: 'wecom',
  name: 'WeCom',
  config: z.object({
    key: z
      .string()
      .regex(/^[\w-]{8,128}$/)
      .meta({ secret: true }),
    api_root: z
      .url({ protocol: /^https?$/ })
      .max(300)
      .default('https://qyapi.weixin.qq.com'),
  }),
  /** 20 messages a minute. */
  spacingMs: 3100,
  destination: config => config.api_root,
  send: async ({ api_root, key }, message, network) => {
    const response = await network.post({
      url: `${api_root.replace(/\/+$/, '')}/cgi-bin/webhook/send?key=${encodeURIComponent(key)}`,
      headers: jsonHeaders,
      body: JSON.stringify({
        msgtype: 'markdown',
        markdown: { content: fit(toPlain(message), bytesMax, 'bytes', render) },
      }),
    })
    requireCode(response, {
      ...{ code: 'errcode', text: 'errmsg' },
      // -1: busy. 45009 and 45033: too many messages.
      passing: { '-1': 10, 45009: 60, 45033: 60 },
    })
  },
})
