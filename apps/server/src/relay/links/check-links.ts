import { Fault } from '@hub/contract'
import type { ParsedRequest } from '@hub/dialects'
import { isApiHost } from '@hub/providers'
import type { Channel } from '../channels/channel.ts'
import { isAddressField, listLinksIn, listTaskLinks } from './find-links.ts'

export type LinkChannel = Pick<Channel, 'baseUrl' | 'provider' | 'options'>

/** Objects of the caller at the account that is called. */
export type OwnObjects = ReadonlySet<string>
const none: OwnObjects = new Set()

/**
 * Checks what leaves: a vendor reads links with the authority of the channel's account. Throws `stored.unknown` for what
 * names an object or a bucket that is not the caller's, and `request.link` for other texts that are not links.
 */
export const checkLinks = (
  channel: LinkChannel,
  { hasAddresses, contentType, body }: Pick<ParsedRequest, 'hasAddresses' | 'contentType' | 'body'>,
  objects: OwnObjects = none,
): void => {
  if (hasAddresses === false || contentType !== undefined || body.length === 0) return
  checkEach(channel, listLinksIn(body), objects)
}

/** As `checkLinks`, for a task. */
export const checkLinksOf = (channel: LinkChannel, request: unknown): void =>
  checkEach(channel, listTaskLinks(request), none)

/** As `checkLinks`, for a message of a session that is JSON. */
export const checkMessageLinks = (channel: LinkChannel, message: Buffer): void =>
  checkEach(channel, listLinksIn(message, isAddressField), none)

const checkEach = (channel: LinkChannel, links: readonly string[], objects: OwnObjects): void => {
  for (const link of links) {
    const fault = faultOf(channel, link, objects)
    if (fault) throw fault
  }
}

const faultOf = (channel: LinkChannel, link: string, objects: OwnObjects): Fault | undefined => {
  const text = link.trim()
  if (text === '' || isContent(text) || objects.has(text)) return undefined
  const address = URL.parse(text)
  if (address && (address.protocol === 'https:' || address.protocol === 'http:'))
    return isApiAddress(channel, address) && !objects.has(objectAt(address) ?? text)
      ? unknownObject(text)
      : undefined
  const [, bucket] = /^(?:gs|s3):\/\/([^/]+)/i.exec(text) ?? []
  if (bucket !== undefined) return bucketsOf(channel).has(bucket) ? undefined : unknownObject(text)
  return namesObject(text) ? unknownObject(text) : notALink(text)
}

/** Files of vendors by their ids, and by the schemes of their storage. */
const namesObject = (text: string): boolean =>
  /^(files|cachedContents)\//.test(text) || /^(asset|bos|cos|gs|ms|obs|oss|s3|tos):/i.test(text)

const unknownObject = (text: string) => new Fault('stored.unknown', { hint: `Id: ${shown(text)}.` })

const notALink = (text: string) =>
  new Fault('request.link', { hint: `'${shown(text)}': only http and https links are passed on.` })

/** The query of an address may be a signature. */
const shown = (text: string): string => text.replace(/[?#].*$/s, '').slice(0, 100)

/** Shorter texts are paths. */
const base64Min = 64

/** Content instead of a link: a data URL, or the plain base64 that some vendors take. */
const isContent = (text: string): boolean =>
  /^data:/i.test(text) ||
  (text.length >= base64Min && !/^files\//.test(text) && /^[\w+/-]+={0,2}$/.test(text))

/** The id of a file, as its vendor and the requests for it name it: https://ai.google.dev/gemini-api/docs/files */
export const objectAt = ({ pathname }: URL): string | undefined =>
  /(?<=\/)files\/[\w-]+$/.exec(pathname)?.[0]

/** The address names an object of an account instead of a page that everybody may read. */
const isApiAddress = ({ baseUrl, provider }: LinkChannel, address: URL): boolean =>
  address.host === URL.parse(baseUrl || provider.baseUrl)?.host || isApiHost(hostOf(address))

/** A name may end in a dot. */
export const hostOf = ({ hostname }: URL): string => hostname.replace(/\.$/, '')

/** The buckets that the operator lists, separated by commas or blanks. */
const bucketsOf = ({ options }: LinkChannel): ReadonlySet<string> => {
  const listed = options.links?.buckets
  return new Set(typeof listed === 'string' ? listed.split(/[\s,]+/) : [])
}
