import { Fault } from '@hub/contract'
import { type Provider, providerOf } from '@hub/providers'
import type { App } from '../../core/app.ts'
import type { Channel } from './channel.ts'
import { fetchText } from './fetch-text.ts'

/** A channel as it is being typed. */
export type Draft = { type: number; key: string; base_url: string; proxy: string; other: string }

/** The model names that a provider offers to this key. */
export const fetchModels = async (app: App, draft: Draft): Promise<string[]> => {
  const channel = draftChannel(draft)
  const path = channel.provider.models
  if (path === undefined) throw new Fault('channel.models-unavailable')
  const text = await fetchText(app, channel, path).catch((cause: unknown) => {
    throw new Fault('channel.models-unavailable', {
      cause,
      ...(cause instanceof Fault && { hint: cause.message }),
    })
  })
  const names = readNames(channel.provider, text)
  if (names.length === 0) throw new Fault('channel.models-unavailable')
  return names
}

/** As the provider writes it, or as nearly everybody does: `{data: [{id}]}`. */
const readNames = ({ modelIds = idsOf }: Provider, text: string): string[] => {
  try {
    return [...new Set(modelIds(JSON.parse(text)).filter(Boolean))].sort()
  } catch (cause) {
    throw new Fault('channel.models-unavailable', { cause })
  }
}

const idsOf = (list: unknown): string[] => {
  const { data } = list as { data?: unknown }
  return Array.isArray(data) ? data.map(each => String(each?.id ?? '')) : []
}

const draftChannel = (draft: Draft): Channel => {
  const provider = providerOf(draft.type)
  if (!provider) throw new Fault('provider.unknown')
  return {
    id: 0,
    name: '',
    provider,
    baseUrl: draft.base_url,
    other: draft.other,
    options: {},
    credentials: [draft.key],
    proxy: draft.proxy,
    groups: [],
    models: [],
    priority: 0,
    weight: 1,
    mapping: new Map(),
    headers: {},
    customParameter: undefined,
    onlyChat: false,
    lacks: undefined,
    keepsExtra: false,
    preCost: 1,
    streamless: new Set(),
    testModel: '',
    row: '',
  }
}
