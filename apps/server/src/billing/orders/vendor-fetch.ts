import { lookup } from 'node:dns'
import { isIP, type LookupFunction } from 'node:net'
import { Fault } from '@hub/contract'
import { Agent, request } from 'undici'
import type { App } from '../../core/app.ts'
import type { VendorRequest, VendorResponse } from '../../integrations/payments/payment-gateway.ts'
import { failpoint } from '../../lib/failpoint.ts'
import { isPublicAddress } from '../../lib/http/public-address.ts'

const timeoutMs = 15_000
const bytesMax = 1024 * 1024

/**
 * Calls a payment vendor. It follows no redirect; private IP addresses depend on a setting. The address is never logged,
 * because some vendors take their key in it. Throws `payment.unreachable`, also after 15 s or above 1 MiB.
 */
export const fetchVendor = async (
  app: App,
  { method, url, headers = {}, body }: VendorRequest,
): Promise<VendorResponse> => {
  const isPrivateAllowed = app.settings().channels.PrivateAddressesAllowed
  if (!isPrivateAllowed) refusePrivate(new URL(url).hostname)
  const guard = isPrivateAllowed ? {} : { lookup: publicLookup }
  const dispatcher = new Agent({ connect: { timeout: timeoutMs, ...guard } })
  try {
    failpoint('payment vendor')
    const signal = AbortSignal.timeout(timeoutMs)
    const response = await request(url, {
      dispatcher,
      method,
      headers,
      signal,
      ...(body !== undefined && { body }),
    })
    return await readResponse(response)
  } catch (error) {
    if (error instanceof Fault) throw error
    throw new Fault('payment.unreachable', { detail: codeOf(error) })
  } finally {
    void dispatcher.destroy().catch(() => {})
  }
}

/** The message of an error may contain the address, so only its code is kept. */
const codeOf = (error: unknown): string =>
  String((error as { code?: unknown; name?: unknown } | null)?.code ?? 'no answer').slice(0, 100)

const readResponse = async (
  response: Awaited<ReturnType<typeof request>>,
): Promise<VendorResponse> => {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of response.body) {
    bytes += chunk.length
    if (bytes > bytesMax) throw new Fault('payment.unreachable', { detail: 'too long' })
    chunks.push(chunk)
  }
  const headers = Object.fromEntries(
    Object.entries(response.headers).map(([name, value]) => [name, String(value)]),
  )
  return { status: response.statusCode, headers, body: Buffer.concat(chunks) }
}

const refusePrivate = (hostname: string): void => {
  const bare = hostname.replace(/^\[|\]$/g, '')
  if (isIP(bare) !== 0 && !isPublicAddress(bare)) throw new Fault('address.forbidden')
}

/** There is no second lookup that could answer otherwise. */
const publicLookup: LookupFunction = (hostname, options, done) => {
  lookup(hostname, { ...options, all: true }, (error, addresses) => {
    if (error) return done(error, '', 0)
    const open = addresses.filter(each => isPublicAddress(each.address))
    const first = open[0]
    if (!first) return done(new Fault('address.forbidden'), '', 0)
    if (options.all) return done(null, open)
    done(null, first.address, first.family)
  })
}
