import { Fault } from '@hub/contract'
import { Agent, request } from 'undici'
import type { App } from '../../core/app.ts'
import { checkHost, publicLookup } from './connections/addresses.ts'

type Limits = { bytesMax: number; timeoutMs: number }

/**
 * Fetches a text at an address that an administrator gave. It follows no redirect; private addresses depend on a setting.
 * Returns the status alone where it is not 200, and rejects for a longer text or a failure.
 */
export const fetchText = async (
  app: App,
  url: string,
  { bytesMax, timeoutMs }: Limits,
): Promise<{ status: number; text: string }> => {
  const isPrivateAllowed = app.settings().channels.PrivateAddressesAllowed
  if (!isPrivateAllowed) checkHost(new URL(url).hostname)
  const lookup = isPrivateAllowed ? {} : { lookup: publicLookup }
  const dispatcher = new Agent({ connect: { timeout: timeoutMs, ...lookup } })
  try {
    const { statusCode, body } = await request(url, {
      dispatcher,
      headers: { accept: 'application/json, text/plain' },
      signal: AbortSignal.timeout(timeoutMs),
    })
    if (statusCode !== 200) return { status: statusCode, text: '' }
    return { status: statusCode, text: await readText(body, bytesMax) }
  } finally {
    void dispatcher.destroy().catch(() => {})
  }
}

export class TooLong extends Error {}

const readText = async (body: AsyncIterable<Buffer>, bytesMax: number): Promise<string> => {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of body) {
    bytes += chunk.length
    if (bytes > bytesMax) throw new TooLong()
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString()
}

const listLimits = { timeoutMs: 10_000, bytesMax: 8 * 1024 * 1024 }

/**
 * Fetches a list of prices or of model information at an address that an administrator gave. Throws `price.source` for a
 * failure, after 10 s, or above 8 MiB.
 */
export const fetchList = async (app: App, url: string): Promise<string> => {
  try {
    const { status, text } = await fetchText(app, url, listLimits)
    if (status === 200) return text
    throw new Fault('price.source', { hint: `It answered ${status}.` })
  } catch (cause) {
    if (cause instanceof Fault) throw cause
    if (cause instanceof TooLong) throw new Fault('price.source', { hint: 'It is too long.' })
    throw new Fault('price.source', { cause })
  }
}
