import { z } from 'zod'
import { defineNotifier } from '../notifier.ts'
import { jsonHeaders, requireCode } from '../text/answer.ts'
import { cut, toPlain } from '../text/fit.ts'

/** A push of Apple has at most 4,096 bytes in all. */
const titleMax = 250
const bodyMax = 2500
const urlMax = 700

/** https://github.com/Finb/bark-server/blob/master/docs/API_V2.md */
export const bark = defineNotifier({
  id: 'bark',
  name: 'Bark',
  config: z.object({
    server: z
      .url({ protocol: /^https?$/ })
      .max(300)
      .default('https://api.day.app'),
    device_key: z
      .string()
      .regex(/^\w{8,64}$/)
      .meta({ secret: true }),
  }),
  spacingMs: 1000,
  destination: config => config.server,
  send: async ({ server, device_key }, message, network) => {
    const { title, text, link } = toPlain(message)
    const response = await network.post({
      url: `${server.replace(/\/+$/, '')}/push`,
      headers: jsonHeaders,
      body: JSON.stringify({
        device_key,
        title: cut(title, titleMax, 'jsonBytes'),
        body: cut(text || title, bodyMax, 'jsonBytes'),
        ...(link && link.url.length <= urlMax && { url: link.url }),
      }),
    })
    requireCode(response, { code: 'code', text: 'message', success: 200 })
  },
})
