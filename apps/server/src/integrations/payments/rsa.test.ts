import { generateKeyPairSync } from 'node:crypto'
import { expect, it } from 'vitest'
import { canSign, publicHalf, readPrivateKey, readPublicKey, signRsa, verifyRsa } from './rsa.ts'

const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
const bare = (pem: string) => pem.replace(/-----[A-Z ]+-----|\s/g, '')

it.each(['pkcs1', 'pkcs8'] as const)(
  'reads a private key as %s, with and without PEM lines',
  type => {
    const pem = String(privateKey.export({ type, format: 'pem' }))
    const forms = [
      pem,
      `\r\n${pem}  `,
      pem.replaceAll('\n', '\\n'),
      bare(pem),
      bare(pem).replace(/.{64}/g, '$&\n'),
    ]
    for (const form of forms) expect(readPrivateKey(form)?.equals(privateKey)).toBe(true)
  },
)

it.each(['pkcs1', 'spki'] as const)(
  'reads a public key as %s, with and without PEM lines',
  type => {
    const pem = String(publicKey.export({ type, format: 'pem' }))
    for (const form of [pem, bare(pem)]) expect(readPublicKey(form)?.equals(publicKey)).toBe(true)
  },
)

it('refuses text that is no key of the kind', () => {
  const pem = String(privateKey.export({ type: 'pkcs8', format: 'pem' }))
  const small = generateKeyPairSync('rsa', { modulusLength: 1024 })
  const curve = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const texts = ['', 'secret', pem.slice(0, 200), bare(pem).slice(4)]
  for (const text of texts) expect(readPrivateKey(text)).toBeUndefined()
  for (const text of ['', 'secret', bare(pem), pem]) expect(readPublicKey(text)).toBeUndefined()
  for (const pair of [small, curve]) {
    expect(
      readPrivateKey(String(pair.privateKey.export({ type: 'pkcs8', format: 'pem' }))),
    ).toBeUndefined()
    expect(
      readPublicKey(String(pair.publicKey.export({ type: 'spki', format: 'pem' }))),
    ).toBeUndefined()
  }
})

it('shows the public half as one line that the vendor takes', () => {
  const half = publicHalf(privateKey)
  expect(half).toMatch(/^MIIB[\w+/]+={0,2}$/)
  expect(readPublicKey(half)?.equals(publicKey)).toBe(true)
})

it('verifies only the canonical base64 of a signature over the same bytes', () => {
  const signature = signRsa(privateKey, '充值 100% %41')
  expect(verifyRsa(publicKey, '充值 100% %41', signature)).toBe(true)
  expect(verifyRsa(publicKey, '充值 100% A', signature)).toBe(false)
  for (const other of ['', ' ', `${signature} `, signature.slice(0, -1), `${signature}\n`, '!'])
    expect(verifyRsa(publicKey, '充值 100% %41', other)).toBe(false)
  const last = signature.at(-3)!
  const sameBytes = `${signature.slice(0, -3)}${String.fromCharCode(last.charCodeAt(0) + 1)}==`
  expect(verifyRsa(publicKey, '充值 100% %41', sameBytes)).toBe(false)
})

it('finds a key with a damaged number by a trial signature', () => {
  const text = bare(String(privateKey.export({ type: 'pkcs8', format: 'pem' })))
  const damaged = readPrivateKey(`${text.slice(0, 100)}A1b2${text.slice(104)}`)
  expect(canSign(privateKey)).toBe(true)
  expect(damaged && canSign(damaged)).toBe(false)
})
