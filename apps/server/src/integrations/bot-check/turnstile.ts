import { randomUUID } from 'node:crypto'
import { request } from 'undici'
import { z } from 'zod'

const timeoutMs = 5_000

type Check = {
  address: string
  secret: string
  token: string
  ip: string
  /** The domain of the page. Undefined: it is not known, and Cloudflare's list of the key's domains decides. */
  hostname: string | undefined
  /** The form that the token was made for. */
  action: string
}

/** https://developers.cloudflare.com/turnstile/get-started/server-side-validation/ */
const Verification = z.object({
  success: z.boolean(),
  hostname: z.string().optional(),
  action: z.string().optional(),
  'error-codes': z.array(z.string()).default([]),
})

/** Faults of our configuration or of Cloudflare, which say nothing about the visitor. */
const ownFaults = ['missing-input-secret', 'invalid-input-secret', 'bad-request', 'internal-error']

/**
 * Has Cloudflare check the token of a Turnstile widget, which it does once for each token. A token for another page or
 * action is refused. `unavailable`: there is no verdict within five seconds.
 */
export const verifyTurnstile = async (
  check: Check,
): Promise<'passed' | 'refused' | 'unavailable'> => {
  const result = await ask(check).catch(() => undefined)
  if (!result || result['error-codes'].some(code => ownFaults.includes(code))) return 'unavailable'
  const isHere = check.hostname === undefined || result.hostname === check.hostname
  const isOurs = isHere && result.action === check.action
  return result.success && isOurs ? 'passed' : 'refused'
}

const ask = async ({ address, secret, token, ip }: Check) => {
  const fields = { secret, response: token, remoteip: ip, idempotency_key: randomUUID() }
  const { statusCode, body } = await request(address, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams(fields).toString(),
    signal: AbortSignal.timeout(timeoutMs),
  })
  const answer = Verification.safeParse(await body.json())
  return statusCode < 500 ? answer.data : undefined
}
