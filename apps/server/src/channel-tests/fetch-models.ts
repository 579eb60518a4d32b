import { Fault } from '@hub/contract'
import { type Provider, providerOf } from '@hub/providers'
import type { App } from '../core/app.ts'
import { type Channel, unusableProvider } from '../relay/channels/channel.ts'
import { makeKeys } from '../relay/channels/keys.ts'
import { fetchText } from './fetch-text.ts'

/** A channel that is not saved yet. */
export type ChannelDraft = {
  type: number
  key: string
  base_url: string
  proxy: string
  other: string
}

/** Fetches the model names that a provider offers to the key of a channel that may not be saved yet. */
export const fetchModels = (app: App, draft: ChannelDraft): Promise<string[]> =>
  listOffered(app, makeDraftChannel(app, draft))

/** Fetches the model names that a provider offers to the channel's first key. Throws for a list without any. */
export const listOffered = async (app: App, channel: Channel): Promise<string[]> => {
  const path = channel.provider.modelListPath
  if (path === undefined) throw new Fault('channel.models_unavailable')
  const text = await fetchText(app, channel, path).catch((cause: unknown) => {
    throw new Fault('channel.models_unavailable', {
      cause,
      ...(cause instanceof Fault && { hint: cause.message }),
    })
  })
  const names = readNames(channel.provider, text)
  if (names.length === 0) throw new Fault('channel.models_unavailable')
  return names
}

/** Reads the provider's own format, or the usual `{data: [{id}]}`. */
const readNames = ({ readModelIds: modelIds = idsOf }: Provider, text: string): string[] => {
  try {
    return [...new Set(modelIds(JSON.parse(text)).filter(Boolean))].sort()
  } catch (cause) {
    throw new Fault('channel.models_unavailable', { cause })
  }
}

const idsOf = (list: unknown): string[] => {
  const { data } = list as { data?: unknown }
  return Array.isArray(data) ? data.map(each => String(each?.id ?? '')) : []
}

export const makeDraftChannel = (app: App, draft: ChannelDraft): Channel => {
  const provider = providerOf(draft.type)
  if (!provider) throw unusableProvider(draft.type)
  const keys = makeKeys(app, [draft.key])
  return {
    id: 0,
    name: '',
    provider,
    baseUrl: draft.base_url,
    other: draft.other,
    options: {},
    keys,
    storedKeys: keys,
    keyRotation: 'random',
    proxy: draft.proxy,
    groups: [],
    models: [],
    priority: 0,
    weight: 1,
    mapping: new Map(),
    requestHeaders: {},
    customParameter: undefined,
    onlyChat: false,
    unsupportedDialect: undefined,
    keepsUnknownFields: false,
    preCost: 1,
    unstreamableModels: new Set(),
    contextSizes: new Map(),
    testModel: '',
    fingerprint: '',
  }
}
