import { Agent, request } from 'undici'
import { allowedAddresses, allowedUrl, type FetchRules, lookupOf } from './fetch-guarded.ts'

export type PostRequest = {
  url: string
  headers: Readonly<Record<string, string>>
  body: string
}

type PostResult =
  | { ok: true; status: number; headers: Record<string, string>; body: string }
  | { ok: false; reason: 'url' | 'address' | 'connection' | 'timeout' | 'size' }

type PostLimits = { rules: FetchRules; timeoutMs: number; bytesMax: number }

/**
 * Posts a small body by the rules of `fetchGuarded`. It follows no redirect, which would carry the body to another host.
 * Never rejects.
 */
export const postGuarded = async (
  { url: text, headers, body }: PostRequest,
  { rules, timeoutMs, bytesMax }: PostLimits,
): Promise<PostResult> => {
  const signal = AbortSignal.timeout(timeoutMs)
  const url = allowedUrl(text, undefined, rules)
  if (!url) return { ok: false, reason: 'url' }
  let dispatcher: Agent | undefined
  try {
    const addresses = await allowedAddresses(url.hostname, rules, signal)
    if (addresses.length === 0) return { ok: false, reason: 'address' }
    dispatcher = new Agent({ connect: { lookup: lookupOf(addresses), timeout: 0 } })
    const response = await request(url, { dispatcher, method: 'POST', signal, headers, body })
    const chunks: Buffer[] = []
    let size = 0
    for await (const chunk of response.body) {
      size += chunk.length
      if (size > bytesMax) return { ok: false, reason: 'size' }
      chunks.push(chunk)
    }
    return {
      ok: true,
      status: response.statusCode,
      headers: Object.fromEntries(
        Object.entries(response.headers).map(([name, value]) => [name, String(value)]),
      ),
      body: Buffer.concat(chunks).toString('utf8'),
    }
  } catch {
    return { ok: false, reason: signal.aborted ? 'timeout' : 'connection' }
  } finally {
    void dispatcher?.destroy().catch(() => {})
  }
}
