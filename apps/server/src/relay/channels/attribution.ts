import type { Edits, ParsedRequest, UpstreamFormat } from '@hub/dialects'
import { attributionChoice, isOwnHost } from '@hub/providers'
import type { Channel } from './channel.ts'

type Format = Pick<UpstreamFormat, 'attributionEdits'>
type Parsed = Pick<ParsedRequest, 'body' | 'fieldRanges'>

/** The edits that remove a client's line to its vendor, unless that vendor or an unknown host may be the receiver. */
export const attributionEdits = (
  { attributionEdits }: Format,
  parsed: Parsed,
  { channel, isTranslated }: { channel: Channel; isTranslated: boolean },
): Edits => {
  const edits = attributionEdits?.(parsed) ?? {}
  for (const _ in edits) return dropsAttribution(channel, isTranslated) ? edits : {}
  return edits
}

/** A gateway may stand at an unknown host. The last hop decides there. */
export const dropsAttribution = (
  { options, provider, baseUrl }: Pick<Channel, 'options' | 'provider' | 'baseUrl'>,
  isTranslated: boolean,
): boolean => {
  const choice = attributionChoice(options)
  if (choice === 'keep' || choice === 'drop') return choice === 'drop'
  if (isTranslated || provider.dropsAttribution) return true
  const address = URL.parse(baseUrl || provider.baseUrl)
  return address !== null && isOwnHost(address.hostname)
}
