import { Fault } from '@hub/contract'
import { Agent, request } from 'undici'
import type { App } from '../../core/app.ts'
import { checkHost, publicLookup } from '../../relay/upstream/addresses.ts'

const timeoutMs = 10_000
const bytesMax = 8 * 1024 * 1024

/**
 * Fetches the text at a URL that an administrator gave. It follows no redirect; private IP addresses depend on a setting.
 * Throws `price.source` for a failure, after 10 s, or above 8 MiB.
 */
export const fetchPriceList = async (app: App, url: string): Promise<string> => {
  const isPrivateAllowed = app.settings().channels.PrivateAddressesAllowed
  if (!isPrivateAllowed) checkHost(new URL(url).hostname)
  const lookup = isPrivateAllowed ? {} : { lookup: publicLookup }
  const agent = new Agent({ connect: { timeout: timeoutMs, ...lookup } })
  try {
    return await read(agent, url)
  } catch (cause) {
    if (cause instanceof Fault) throw cause
    throw new Fault('price.source', { cause })
  } finally {
    void agent.destroy().catch(() => {})
  }
}

const read = async (dispatcher: Agent, url: string): Promise<string> => {
  const response = await request(url, {
    dispatcher,
    headers: { accept: 'application/json, text/plain' },
    signal: AbortSignal.timeout(timeoutMs),
  })
  if (response.statusCode !== 200)
    throw new Fault('price.source', { hint: `It answered ${response.statusCode}.` })
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of response.body) {
    bytes += chunk.length
    if (bytes > bytesMax) throw new Fault('price.source', { hint: 'It is too long.' })
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString()
}
