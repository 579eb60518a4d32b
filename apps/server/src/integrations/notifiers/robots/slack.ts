import { z } from 'zod'
import { defineNotifier } from '../notifier.ts'
import { jsonHeaders, requireSuccess } from '../text/answer.ts'
import { cut, toPlain } from '../text/fit.ts'

/** https://docs.slack.dev/reference/block-kit/blocks/header-block and section-block, in characters. */
const headerMax = 150
const sectionMax = 3000

/** https://docs.slack.dev/messaging/formatting-message-text: only these three are escaped. */
const escapeText = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

/** Within `<address|label>` a vertical line would end the address. */
const toLink = ({ label, url }: { label: string; url: string }) =>
  `<${escapeText(url).replaceAll('|', '%7C')}|${escapeText(label).replaceAll('|', '¦')}>`

export const slack = defineNotifier({
  id: 'slack',
  name: 'Slack',
  config: z.object({
    /** The whole address of the incoming webhook is its secret. */
    url: z
      .url({ protocol: /^https?$/ })
      .max(500)
      .meta({ secret: true }),
  }),
  /** One message a second: https://docs.slack.dev/apis/web-api/rate-limits */
  spacingMs: 1100,
  destination: config => config.url,
  send: async ({ url }, message, network) => {
    const { title, text, link } = toPlain(message)
    const plainText = (content: string) => ({ type: 'plain_text', text: content, emoji: false })
    const blocks = [
      ...(title ? [{ type: 'header', text: plainText(cut(title, headerMax, 'units')) }] : []),
      ...(text ? [{ type: 'section', text: plainText(cut(text, sectionMax, 'units')) }] : []),
      ...(link ? [{ type: 'section', text: { type: 'mrkdwn', text: toLink(link) } }] : []),
    ]
    const body = JSON.stringify({
      text: escapeText(cut(title || text, headerMax, 'units')),
      blocks,
    })
    requireSuccess(await network.post({ url, headers: jsonHeaders, body }))
  },
})
