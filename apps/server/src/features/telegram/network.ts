import { Agent, fetch } from 'undici'
import type { App } from '../../core/app.ts'
import type { TelegramFetch } from '../../integrations/telegram/client.ts'
import { connectorOf } from '../../relay/upstream/connections/connector.ts'

const connectTimeoutMs = 10_000

type Destination = { token: string; apiRoot: string; proxy: string }

/** Calls Telegram, by the proxy if one is set. Private addresses depend on a setting, as for channels. */
export const telegramFetch = (app: App, { token, apiRoot, proxy }: Destination): TelegramFetch => {
  const isPrivateAllowed = app.settings().channels.PrivateAddressesAllowed
  const options = { timeout: connectTimeoutMs, isPrivateAllowed }
  return async (url, init) => {
    const target = { channel: { proxy }, credential: token, origin: new URL(apiRoot).origin }
    const dispatcher = new Agent({ connect: connectorOf(target, options), pipelining: 0 })
    try {
      const response = await fetch(url, { ...init, dispatcher })
      const text = await response.text()
      return { json: async () => JSON.parse(text) }
    } finally {
      void dispatcher.destroy().catch(() => {})
    }
  }
}
