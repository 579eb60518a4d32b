import type { Channel } from '../channels/channel.ts'

type Secrets = { channel: Channel; credential: string }

/** Replaces the channel's credential, each part of it, its other secrets and its host in a vendor's answer. */
export const scrub = (body: Buffer, { channel, credential }: Secrets): Buffer => {
  const parts = credential.includes('|') ? credential.split('|') : []
  const others = [...Object.values(channel.headers), ...textsIn(channel.customParameter)]
  const secrets = [credential, ...parts, hostOf(channel.baseUrl)]
    .filter(each => each.length > 3)
    .concat(others.filter(each => each.length >= secretLengthMin))
  if (!secrets.some(each => body.includes(each))) return body
  return Buffer.from(
    secrets.reduce((text, secret) => text.replaceAll(secret, '***'), body.toString()),
  )
}

/** Shorter values of headers and parameters are settings, such as `high` or `application/json`. */
const secretLengthMin = 17

const textsIn = (value: unknown): string[] => {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : []
}

const hostOf = (url: string) => (URL.canParse(url) ? new URL(url).host : '')
