import type { Channel } from '../channels/channel.ts'

type Secrets = { channel: Channel; credential: string }

/**
 * Replaces the secrets of a channel in a vendor's answer: its credential and each part of it, its own headers and
 * parameters, its proxy and its host, as they are and as JSON writes them.
 */
export const scrub = (body: Buffer, { channel, credential }: Secrets): Buffer => {
  const secrets = secretsOf(channel, credential).flatMap(asWritten)
  if (!secrets.some(each => body.includes(each))) return body
  // A longer secret goes first, so that nothing of it remains where it contains a shorter one.
  const text = secrets
    .toSorted((a, b) => b.length - a.length)
    .reduce((text, secret) => text.replaceAll(secret, '***'), body.toString())
  return Buffer.from(text)
}

/** Shorter values of headers and parameters are settings, such as `high` or `application/json`. */
const secretLengthMin = 17

const secretsOf = (channel: Channel, credential: string): string[] => [
  ...[credential, ...partsOf(credential)].filter(each => each.length > 3),
  ...addressesOf(channel.baseUrl).filter(each => each.length > 3),
  ...addressesOf(channel.proxy).filter(each => each.length > 3),
  ...[...Object.values(channel.requestHeaders), ...textsIn(channel.customParameter)].filter(
    each => each.length >= secretLengthMin,
  ),
]

/** Several values in one credential: `access|secret`, or the JSON of a service account. */
const partsOf = (credential: string): string[] => {
  if (credential.startsWith('{')) {
    try {
      return textsIn(JSON.parse(credential)).filter(each => each.length >= secretLengthMin)
    } catch {
      return []
    }
  }
  return credential.includes('|') ? credential.split('|') : []
}

const asWritten = (secret: string): string[] => {
  const escaped = JSON.stringify(secret).slice(1, -1)
  return escaped === secret ? [secret] : [secret, escaped]
}

const textsIn = (value: unknown): string[] => {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : []
}

const addressesOf = (url: string): string[] => {
  if (!URL.canParse(url)) return []
  const { host, username, password } = new URL(url)
  return [host, username, password, safeDecode(password)]
}

const safeDecode = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
