import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'

type AuthenticatorOptions = {
  /** The origin of the page, as the browser reports it. */
  origin: string
  /** False: a key without PIN or fingerprint. */
  verifiesUser?: boolean
  /** False: the counter is always 0, as of synced passkeys. */
  counts?: boolean
}

type Credential = { id: string; key: KeyObject; userHandle: string; counter: number }

/** Bits of the flags in authenticator data (Web Authentication Level 3, 6.1). */
const flags = { userPresent: 1, userVerified: 4, attested: 64 }

/** An authenticator with ES256 keys and no attestation, together with the browser that calls it. */
export const makeAuthenticator = ({
  origin,
  verifiesUser = true,
  counts = true,
}: AuthenticatorOptions) => {
  const credentials: Credential[] = []
  const userFlags = flags.userPresent | (verifiesUser ? flags.userVerified : 0)
  const clientData = (type: string, challenge: string) =>
    Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }))

  return {
    credentials,
    create({ rp, user, challenge }: CreationOptions) {
      const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
      const id = randomBytes(32)
      const credential = {
        id: base64url(id),
        key: privateKey,
        userHandle: user.id,
        counter: 0,
      }
      credentials.push(credential)
      const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
      // COSE_Key: kty EC2, alg ES256, crv P-256, x, y (RFC 9053, 7.1.1).
      const cose = cbor(
        new Map<number, CborValue>([
          [1, 2],
          [3, -7],
          [-1, 1],
          [-2, Buffer.from(x, 'base64url')],
          [-3, Buffer.from(y, 'base64url')],
        ]),
      )
      const length = Buffer.from([0, id.length])
      const attested = Buffer.concat([Buffer.alloc(16), length, id, cose])
      const data = authenticatorData(rp.id, userFlags | flags.attested, 0)
      const authData = Buffer.concat([data, attested])
      const attestationObject = cbor(
        new Map<string, CborValue>([
          ['fmt', 'none'],
          ['attStmt', new Map()],
          ['authData', authData],
        ]),
      )
      return {
        ...identified(credential.id),
        response: {
          clientDataJSON: base64url(clientData('webauthn.create', challenge)),
          attestationObject: base64url(attestationObject),
          transports: ['internal'],
        },
      }
    },
    /** Signs by the last credential, or another one of this authenticator. */
    get({ rpId, challenge }: RequestOptions, credential = credentials.at(-1)!) {
      if (counts) credential.counter += 1
      const data = authenticatorData(rpId, userFlags, credential.counter)
      const client = clientData('webauthn.get', challenge)
      return {
        ...identified(credential.id),
        response: {
          clientDataJSON: base64url(client),
          authenticatorData: base64url(data),
          signature: base64url(
            sign('sha256', Buffer.concat([data, sha256(client)]), credential.key),
          ),
          userHandle: credential.userHandle,
        },
      }
    },
  }
}

export type SoftwareAuthenticator = ReturnType<typeof makeAuthenticator>
export type CreationOptions = { rp: { id: string }; user: { id: string }; challenge: string }
type RequestOptions = { rpId: string; challenge: string }

const identified = (id: string) => ({
  id,
  rawId: id,
  type: 'public-key',
  authenticatorAttachment: 'platform',
  clientExtensionResults: {},
})

const base64url = (bytes: Buffer) => bytes.toString('base64url')
const sha256 = (bytes: string | Buffer) => createHash('sha256').update(bytes).digest()

const authenticatorData = (rpId: string, flag: number, counter: number) => {
  const count = Buffer.alloc(4)
  count.writeUInt32BE(counter)
  return Buffer.concat([sha256(rpId), Buffer.from([flag]), count])
}

type CborValue = number | string | Buffer | Map<number | string, CborValue>

/** Encodes what attestation objects contain (RFC 8949). */
const cbor = (value: CborValue): Buffer => {
  if (typeof value === 'number') return value < 0 ? cborHead(1, -1 - value) : cborHead(0, value)
  if (typeof value === 'string')
    return Buffer.concat([cborHead(3, Buffer.byteLength(value)), Buffer.from(value)])
  if (Buffer.isBuffer(value)) return Buffer.concat([cborHead(2, value.length), value])
  const entries = [...value].flatMap(([key, each]) => [cbor(key), cbor(each)])
  return Buffer.concat([cborHead(5, value.size), ...entries])
}

const cborHead = (major: number, length: number): Buffer => {
  const type = major << 5
  if (length < 24) return Buffer.from([type | length])
  if (length < 256) return Buffer.from([type | 24, length])
  return Buffer.from([type | 25, length >> 8, length & 255])
}
