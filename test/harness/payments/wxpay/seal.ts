import { createCipheriv, generateKeyPairSync, randomBytes } from 'node:crypto'

export const pairOf = () => generateKeyPairSync('rsa', { modulusLength: 2048 })

/** Every line that WeChat Pay signs ends with a line feed. */
export const lines = (...texts: (string | number)[]): Buffer =>
  Buffer.from(texts.map(each => `${each}\n`).join(''))

export const seal = (text: string, apiKey: string, associatedData: string) => {
  const nonce = randomBytes(6).toString('hex')
  const cipher = createCipheriv('aes-256-gcm', apiKey, nonce)
  cipher.setAAD(Buffer.from(associatedData))
  const bytes = Buffer.concat([cipher.update(text), cipher.final(), cipher.getAuthTag()])
  return { ciphertext: bytes.toString('base64'), nonce, associated_data: associatedData }
}
