import { type CostList, defaultCostList } from '@hub/contract'
import {
  channels,
  type DemoChannel,
  groupsOf,
  keysOf,
  modelsOf,
  slugOf,
} from '../world/channels.ts'
import { modelInfo } from '../world/model-info.ts'
import { belowCost, models, taskPrices } from '../world/models.ts'
import type { FillHub } from './hub.ts'

const pointsPerDollar = 500_000

const settings: Readonly<Record<string, string>> = {
  SystemName: 'Harbor AI',
  // Ways to pay need an address that payers reach. The first start sets the one of this machine.
  ServerAddress: 'https://ai.harborworks.example',
  Notice: 'Kimi K3 was added on Monday. Its price is being checked.',
  UserInvoiceMonth: 'true',
  RechargeDiscount: '{"50": 0.95, "100": 0.9}',
  QuotaForNewUser: '100000',
  QuotaForInviter: '500000',
  QuotaForInvitee: '250000',
  QuotaRemindThreshold: '1000000',
  RetryTimes: '3',
  LogRetentionDays: '90',
  BackupIntervalHours: '24',
  TaskPollsPerSecond: '0',
}

const groups = [
  { symbol: 'team', name: 'Teams', ratio: 0.95, api_rate: 1_200, public: true },
  { symbol: 'trial', name: 'Trial', ratio: 1.1, api_rate: 30, requests_per_day: 500 },
]

const setPrice = async (
  { api }: FillHub,
  price: { model: string } & Record<string, unknown>,
): Promise<void> => {
  try {
    await api('POST', '/api/prices/single', price)
  } catch (error) {
    // Well-known models have a price from the first start on.
    if (!String(error).includes('resource.exists')) throw error
    await api('PUT', `/api/prices/single/${encodeURIComponent(price.model)}`, price)
  }
}

/** Half a dollar for a million tokens is a price of a quarter, because a price of 1 is 2 dollars. */
const perMillion = 0.5
const cachedShare = { cached_read_tokens: 0.1 }

const addPrices = async (hub: FillHub): Promise<void> => {
  for (const { name: model, owner, input, output, caches } of models) {
    const own = model === belowCost.name ? belowCost : { input, output }
    await setPrice(hub, {
      ...{ model, type: 'tokens', channel_type: owner },
      ...{ input: own.input * perMillion, output: own.output * perMillion },
      ...(caches && { extra_ratios: cachedShare }),
    })
  }
  for (const [model, dollars] of Object.entries(taskPrices)) {
    const price = (dollars * pointsPerDollar) / 1_000
    const owner = model.startsWith('kling') ? 53 : model.startsWith('mj') ? 34 : 41
    await setPrice(hub, { model, type: 'times', channel_type: owner, input: price, output: price })
  }
}

export type ChannelRow = { id: number; name: string }

/** The operator buys at a discount, which leaves him a margin on all models but one. */
const discount = 0.72

const costListOf = (channel: DemoChannel): CostList => ({
  ...defaultCostList,
  base: 'none',
  prices: models
    .filter(({ name }) => modelsOf(channel).includes(name))
    .map(({ name: model, input, output, caches }) => ({
      ...{ model, type: 'tokens', input: dollars(input), output: dollars(output) },
      ...(caches && { cached: dollars(input * cachedShare.cached_read_tokens) }),
    })),
})

const dollars = (listPrice: number): string => String(Number((listPrice * discount).toFixed(6)))

const addChannels = async ({ api }: FillHub, vendorUrl: string): Promise<ChannelRow[]> => {
  const rows: ChannelRow[] = []
  for (const channel of channels) {
    const { name, type, priority, weight = 1, tag = '', plugin = {} } = channel
    const [row] = await api<ChannelRow[]>('POST', '/api/channel/', {
      ...{ name, type, priority, weight, tag, plugin, group: groupsOf(channel) },
      ...{ key: keysOf(channel), key_mode: 'one_channel' },
      base_url: `${vendorUrl}/${slugOf(name)}`,
      models: modelsOf(channel).join(),
      test_model: type < 50 ? modelsOf(channel)[0] : '',
    })
    const list = costListOf(channel)
    if (list.prices.length > 0) await api('PUT', `/api/channel/${row!.id}/costs`, { list })
    rows.push({ id: row!.id, name })
  }
  return rows
}

/** Settings, groups, prices and channels: what the operator set up on the first day. */
export const setUpSite = async (hub: FillHub, vendorUrl: string): Promise<ChannelRow[]> => {
  const { api } = hub
  for (const [key, value] of Object.entries(settings))
    await api('PUT', '/api/option/', { key, value })
  for (const group of groups) await api('POST', '/api/user_group/', group)
  await addPrices(hub)
  return addChannels(hub, vendorUrl)
}

/** Offers that came later: descriptions, a virtual model, ways to pay and to be notified. */
export const addOffers = async ({ api }: FillHub, vendorUrl: string): Promise<void> => {
  for (const { input_modalities, tags, ...info } of modelInfo)
    await api('POST', '/api/model_info/', {
      ...info,
      input_modalities: JSON.stringify(input_modalities),
      output_modalities: '["text"]',
      tags: JSON.stringify(tags),
      support_url: '[]',
    })
  await api('POST', '/api/virtual_model/', {
    name: 'smart',
    candidates: [
      { model: 'gpt-5.4-mini', max_tokens: 8_000, tools: 'without', weight: 3 },
      { model: 'deepseek-v4-pro', from: '22:00', until: '06:00' },
      { model: 'claude-sonnet-4-6', tier: 2 },
    ],
  })
  await api('POST', '/api/virtual_model/', {
    name: 'cheap',
    candidates: [{ model: 'deepseek-flash', weight: 2 }, { model: 'gemini-2.5-flash' }],
  })
  const hook = { url: `${vendorUrl}/hook`, secret: 'a secret of 16 characters' }
  const events = ['channel.status', 'order.paid', 'order.review', 'task.failed', 'spend.unusual']
  for (const [path, name, own] of [
    ['/api/notification/', 'Operators', events],
    ['/api/user/notification/', 'My desk', ['order.paid', 'task.failed', 'invoice.ready']],
  ] as const)
    await api('POST', path, { name, type: 'webhook', config: hook, events: own, digest: 'none' })
  await api('POST', '/api/custom-oauth-provider/', {
    ...{ name: 'Harborworks', slug: 'harborworks', issuer: 'https://login.harborworks.example' },
    ...{ client_id: 'harbor-ai', client_secret: 'not-a-secret', enabled: false },
  })
  await api('POST', '/api/option/telegram/', {
    ...{ command: 'price', description: 'What a call costs', parse_mode: 'html' },
    reply_message: '<b>Prices</b> are on our page.',
  })
}
