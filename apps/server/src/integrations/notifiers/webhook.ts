import { createHmac } from 'node:crypto'
import { z } from 'zod'
import { defineNotifier, type Message, type MessageEvent } from './notifier.ts'
import { jsonHeaders, refused, requireSuccess } from './text/answer.ts'

const timeOf = (seconds: number) => new Date(seconds * 1000).toISOString()

const toData = ({ at, count, facts }: MessageEvent) => ({ ...facts, count, at: timeOf(at) })

/** The payload has the three fields that Standard Webhooks recommends: `type`, `timestamp`, `data`. */
const toPayload = ({ title, paragraphs, link, events }: Message) => {
  const text = { title, text: paragraphs.join('\n\n'), ...(link && { url: link.url }) }
  const [event] = events
  const timestamp = timeOf(Math.max(0, ...events.map(each => each.at)))
  if (events.length === 1 && event)
    return { type: event.type, timestamp, data: { ...toData(event), ...text } }
  const list = events.map(each => ({ type: each.type, data: toData(each) }))
  return { type: 'digest', timestamp, data: { events: list, ...text } }
}

/** Half of a surrogate pair is no JSON text for strict receivers. */
const wellFormed = (_key: string, value: unknown): unknown =>
  typeof value === 'string' ? value.toWellFormed() : value

/** A secret is `whsec_` and base64; any other text is used by its bytes. */
const keyOf = (secret: string): Buffer =>
  secret.startsWith('whsec_') ? Buffer.from(secret.slice(6), 'base64') : Buffer.from(secret)

/** Signed by Standard Webhooks: https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md */
export const webhook = defineNotifier({
  id: 'webhook',
  name: 'Webhook',
  config: z.object({
    url: z.url({ protocol: /^https?$/ }).max(2000),
    secret: z.string().min(16).max(200).meta({ secret: true }),
  }),
  spacingMs: 0,
  destination: config => config.url,
  send: async ({ url, secret }, message, network) => {
    const body = JSON.stringify(toPayload(message), wellFormed)
    const timestamp = String(Math.floor(network.now() / 1000))
    const signed = `${message.id}.${timestamp}.${body}`
    const signature = createHmac('sha256', keyOf(secret)).update(signed).digest('base64')
    const response = await network.post({
      url,
      headers: {
        ...jsonHeaders,
        'webhook-id': message.id,
        'webhook-timestamp': timestamp,
        'webhook-signature': `v1,${signature}`,
      },
      body,
    })
    if (response.status >= 300 && response.status < 400)
      throw refused(`It answered ${response.status}, and redirects are not followed.`)
    requireSuccess(response)
  },
})
