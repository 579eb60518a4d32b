import type { FastifyInstance } from 'fastify'
import type { App } from '../../core/app.ts'
import { handleWebhook } from '../../features/telegram/webhook.ts'
import { limitBodyTime } from '../body.ts'

const updateBytesMax = 512 * 1024

/**
 * Updates of Telegram, which proves itself by a header. The address contains no token (S28), and Telegram sends all from
 * few addresses, so the limits of the console do not apply.
 */
export const registerTelegramWebhook = (app: App, scope: FastifyInstance) => {
  scope.removeAllContentTypeParsers()
  // The body is parsed after the secret was compared.
  scope.addContentTypeParser(
    'application/json',
    { parseAs: 'string', bodyLimit: updateBytesMax },
    (_request, body, done) => done(null, body),
  )
  limitBodyTime(scope)
  scope.post('/api/telegram/webhook', async (request, reply) => {
    const secret = request.headers['x-telegram-bot-api-secret-token']
    const body = request.body as string
    await handleWebhook(app, Array.isArray(secret) ? undefined : secret, () => JSON.parse(body))
    return reply.status(200).send()
  })
}
