import { Fault } from '@hub/contract'
import { Agent, request } from 'undici'
import type { App } from '../../core/app.ts'
import type { ProviderContext } from '../../integrations/sign-in/sign-in-provider.ts'
import { checkHost, publicLookup } from '../../relay/upstream/connections/addresses.ts'

const timeoutMs = 10_000
const bytesMax = 1024 * 1024

/** Calls providers at addresses that an administrator gave. Private addresses depend on a setting. */
export const providerFetch =
  (app: App): ProviderContext<never>['fetch'] =>
  async (url, { method = 'GET', headers = {}, body } = {}) => {
    const isPrivateAllowed = app.settings().channels.PrivateAddressesAllowed
    if (!isPrivateAllowed) checkHost(new URL(url).hostname)
    const lookup = isPrivateAllowed ? {} : { lookup: publicLookup }
    const agent = new Agent({ connect: { timeout: timeoutMs, ...lookup } })
    try {
      const signal = AbortSignal.timeout(timeoutMs)
      const options = { dispatcher: agent, method, headers, body: body ?? null, signal }
      const response = await request(url, options)
      return new Response(await read(response.body), {
        status: response.statusCode,
        headers: { 'content-type': String(response.headers['content-type'] ?? '') },
      })
    } catch (cause) {
      if (cause instanceof Fault) throw cause
      throw new Fault('oauth.unreachable', { cause })
    } finally {
      void agent.destroy().catch(() => {})
    }
  }

const read = async (body: AsyncIterable<Buffer>): Promise<Buffer<ArrayBuffer>> => {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of body) {
    bytes += chunk.length
    if (bytes > bytesMax) throw new Fault('oauth.refused', { hint: 'The answer is too long.' })
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}
