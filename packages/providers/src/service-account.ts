import { createPrivateKey, sign } from 'node:crypto'
import { bearer, type Sign } from './signing.ts'

/** A token is good for an hour; a new one is made when half of that is over. */
const lifeSeconds = 3_600
const tokensMax = 1_000

type Token = { made: number; text: string }

/**
 * Service accounts of Google Cloud: a token that their key signs itself, so that none need be fetched.
 * https://google.aip.dev/auth/4111
 * What is no such account signs nothing: the vendor refuses it as it refuses a wrong key.
 */
export const serviceAccount = (scope: string): Sign => {
  // To sign costs a millisecond, and the same token serves every call.
  const tokens = new Map<string, Token>()
  return (kit, credential) => {
    const half = lifeSeconds / 2
    const made = Math.floor(kit.now() / 1_000 / half) * half
    const known = tokens.get(credential)
    if (known?.made === made) return bearer(kit, known.text)
    const text = tokenOf(credential, scope, made)
    if (tokens.size >= tokensMax) tokens.clear()
    tokens.set(credential, { made, text })
    return bearer(kit, text)
  }
}

const tokenOf = (credential: string, scope: string, made: number): string => {
  try {
    const { client_email, private_key, private_key_id } = JSON.parse(credential)
    const head = part({ alg: 'RS256', typ: 'JWT', kid: private_key_id })
    const claims = { iss: client_email, sub: client_email, scope }
    const body = part({ ...claims, iat: made, exp: made + lifeSeconds })
    const said = `${head}.${body}`
    const signature = sign('RSA-SHA256', Buffer.from(said), createPrivateKey(private_key))
    return `${said}.${signature.toString('base64url')}`
  } catch {
    return ''
  }
}

const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')
