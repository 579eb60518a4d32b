import { z } from 'zod'
import { defineNotifier } from '../notifier.ts'
import { failed, jsonHeaders, readObject, requireSuccess } from '../text/answer.ts'
import { cut, fit, type Plain, toPlain } from '../text/fit.ts'
import { escapeMarkdown, escapeUrl } from '../text/markup.ts'

/** https://discord.com/developers/docs/resources/message#embed-object-embed-limits */
const titleMax = 256
const descriptionMax = 4096

const render = ({ text, link }: Plain) =>
  [escapeMarkdown(text), link && `[${escapeMarkdown(link.label)}](${escapeUrl(link.url)})`]
    .filter(Boolean)
    .join('\n\n')

export const discord = defineNotifier({
  id: 'discord',
  name: 'Discord',
  config: z.object({
    /** The whole address of the webhook is its secret. */
    url: z
      .url({ protocol: /^https?$/ })
      .max(500)
      .meta({ secret: true }),
  }),
  /** 30 messages a minute in one channel. */
  spacingMs: 2100,
  destination: config => config.url,
  send: async ({ url }, message, network) => {
    const plain = toPlain(message)
    const description = fit({ ...plain, title: '' }, descriptionMax, 'units', render)
    const title = cut(plain.title, titleMax, 'units')
    const response = await network.post({
      url,
      headers: jsonHeaders,
      body: JSON.stringify({
        embeds: [{ ...(title && { title }), ...(description && { description }) }],
        // No text of ours may notify the members of the channel.
        allowed_mentions: { parse: [] },
      }),
    })
    if (response.status === 429) {
      const wait = Number(readObject(response).retry_after)
      throw failed(`429 ${response.body}`, Number.isFinite(wait) ? Math.ceil(wait) : undefined)
    }
    requireSuccess(response)
  },
})
