import { createDecipheriv, createHash } from 'node:crypto'
import { Fault } from '@hub/contract'
import { xsalsa20poly1305 } from '@noble/ciphers/salsa'
import { isJsonObject, type JsonMap } from '../sources/json.ts'

const gcmMark = 'v2:gcm:'

/** Secretbox: 24 bytes of nonce, 16 of tag. */
const shortestBox = 24 + 16 + 1

/** Opens the values that LiteLLM stores encrypted. Both of its forms use SHA-256 of the salt as their key. */
export class LiteLlmSecrets {
  private readonly key: Uint8Array | undefined

  constructor(saltKey: string | undefined) {
    this.key = saltKey === undefined ? undefined : createHash('sha256').update(saltKey).digest()
  }

  /**
   * The object with its texts decrypted, or undefined where they are encrypted and no salt was given. Throws
   * `import.source` if they were encrypted with another salt. Numbers and flags are never encrypted.
   */
  open(values: JsonMap): JsonMap | undefined {
    const entries = Object.entries(values)
    if (!entries.some(([, value]) => isEncrypted(value))) return values
    if (this.key === undefined) return undefined
    return Object.fromEntries(
      entries.map(([name, value]) => [name, isEncrypted(value) ? this.openText(value) : value]),
    )
  }

  private openText(text: string): string {
    try {
      const bytes = text.startsWith(gcmMark)
        ? openGcm(this.key!, Buffer.from(text.slice(gcmMark.length), 'base64url'))
        : openBox(this.key!, Buffer.from(text, 'base64url'))
      return Buffer.from(bytes).toString('utf8')
    } catch (cause) {
      throw new Fault('import.source', {
        hint: 'Its secrets were encrypted with another salt: give the LITELLM_SALT_KEY of that LiteLLM, or its master key if it has no salt.',
        cause,
      })
    }
  }
}

/** LiteLLM encrypts every text. Shorter texts and those with other characters were entered by hand. */
const isEncrypted = (value: unknown): value is string =>
  typeof value === 'string' &&
  (value.startsWith(gcmMark) ||
    (/^[\w+/-]+={0,2}$/.test(value) && Buffer.from(value, 'base64url').length >= shortestBox))

const openBox = (key: Uint8Array, box: Uint8Array): Uint8Array =>
  xsalsa20poly1305(key, box.subarray(0, 24)).decrypt(box.subarray(24))

const openGcm = (key: Uint8Array, sealed: Uint8Array): Uint8Array => {
  const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, 12))
  decipher.setAuthTag(sealed.subarray(-16))
  return Buffer.concat([decipher.update(sealed.subarray(12, -16)), decipher.final()])
}

/** The JSON object in a column; an empty one where it holds none. */
export const mapOf = (value: unknown): JsonMap => (isJsonObject(value) ? value : {})
