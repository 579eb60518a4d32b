import { isDeepStrictEqual } from 'node:util'
import { ChannelFields, Fault } from '@hub/contract'
import { providerOf } from '@hub/providers'

type OptionSections = Readonly<Record<string, Readonly<Record<string, unknown>>>>

/** Throws unless every key has the form that the channel type needs. The fault never contains a key. */
export const requireCredentials = (type: number, keys: readonly string[]): void => {
  const provider = providerOf(type)
  if (!provider) return
  const index = keys.findIndex(each => !provider.credential.safeParse(each).success)
  if (index < 0) return
  const line = keys.length > 1 ? `, key ${index + 1}` : ''
  throw new Fault('channel.key_invalid', { hint: `\`key\`${line}: ${provider.keyHint}.` })
}

/**
 * Throws unless the channel type obeys every option of the changed sections. Sections that are stored already may stay,
 * because an imported channel can have options that its type does not obey.
 */
export const requireOptions = (
  type: number,
  options: OptionSections,
  stored: OptionSections = {},
): void => {
  for (const [section, given] of Object.entries(options))
    if (!isDeepStrictEqual(given, stored[section])) requireSection(type, section, given)
}

/** Throws if the channel type does not read the free field. A stored value may stay, as stored options may. */
export const requireFreeField = (type: number, other: string, stored = ''): void => {
  if (other === '' || other === stored || providerOf(type)?.freeField !== undefined) return
  const hint = '`other`: this channel type has no such field; leave it empty.'
  throw new Fault('request.invalid', { hint })
}

const requireSection = (type: number, section: string, given: OptionSections[string]): void => {
  const read = providerOf(type)?.options?.safeParse({ [section]: given })
  if (read && !read.success) {
    const { path, message } = read.error.issues[0]!
    throw invalidOption(path.join('.'), message)
  }
  // A schema leaves out the fields that it does not know.
  const known = (read?.data as Partial<OptionSections> | undefined)?.[section]
  if (!known) throw invalidOption(section, 'this channel type has no such options')
  const unknown = Object.keys(given).find(key => !Object.hasOwn(known, key))
  if (unknown !== undefined)
    throw invalidOption(`${section}.${unknown}`, 'this channel type has no such option')
}

const invalidOption = (path: string, message: string) =>
  new Fault('channel.option_invalid', { hint: `\`plugin.${path}\`: ${message}.` })

/** Moves the options that the channel type sends as headers to the channel's headers, which are stored encrypted. */
export const moveHeaders = (
  type: number,
  plugin: OptionSections,
  headers: string,
): { plugin: Record<string, Record<string, unknown>>; model_headers?: string } => {
  const section = providerOf(type)?.headerSection
  const { [section ?? '']: moved, ...rest } = plugin as Record<string, Record<string, unknown>>
  if (section === undefined || moved === undefined) return { plugin: { ...plugin } }
  const text = JSON.stringify({ ...(headers === '' ? {} : JSON.parse(headers)), ...moved })
  const read = ChannelFields.shape.model_headers.safeParse(text)
  if (!read.success) throw invalidOption(section, read.error.issues[0]!.message)
  return { plugin: rest, model_headers: read.data }
}
