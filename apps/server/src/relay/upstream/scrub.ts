import type { Channel } from '../channels/channel.ts'

type Secrets = { channel: Channel; credential: string }

/** Replaces the channel's credential, each part of it, and its host in a vendor's answer. */
export const scrub = (body: Buffer, { channel, credential }: Secrets): Buffer => {
  const parts = credential.includes('|') ? credential.split('|') : []
  const secrets = [credential, ...parts, hostOf(channel.baseUrl)].filter(each => each.length > 3)
  if (!secrets.some(each => body.includes(each))) return body
  return Buffer.from(
    secrets.reduce((text, secret) => text.replaceAll(secret, '***'), body.toString()),
  )
}

const hostOf = (url: string) => (URL.canParse(url) ? new URL(url).host : '')
