import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Usd } from '../../../../test/upstream/billing/money.ts'
import {
  type BillingVendors,
  billingVendors,
  startBillingVendors,
} from '../../../../test/upstream/billing/start.ts'
import type { Priced, Rates } from '../../../../test/upstream/billing/vendor.ts'
import { useRelayHub } from '../relay-hub.ts'
import { type BilledCall, makeCall } from './calls.ts'

/** `npm run test:long` compares 2,000 calls. A seed repeats a run: `HUB_BILL_SEED`. */
const count = Number(process.env.HUB_BILLED_CALLS ?? 200)
const seed = process.env.HUB_BILL_SEED ?? 'bill-1'
const pointsPerUsd = 500_000n

const channelTypes: Record<string, number> = {
  ...{ openai: 1, anthropic: 14, openrouter: 20, gemini: 25, deepseek: 28, mistral: 30 },
  ...{ groq: 31, bedrock: 32, xai: 56, vertex: 61 },
}
/** Google owns the models of Vertex AI. */
const ownerOf = (vendor: string) => channelTypes[vendor === 'vertex' ? 'gemini' : vendor]
/** Callers cannot send this header, so that the operator's channel asks for the tier of all its calls. */
const vertexTier = { 'X-Vertex-AI-LLM-Shared-Request-Type': 'priority' }

const hub = useRelayHub()
let vendors: BillingVendors

const keyOf = (vendor: string) => (vendor === 'bedrock' ? 'us-east-1|key' : 'key')

/** An operator types this: multipliers of 2 USD per million tokens, and ratios to them. */
const priceOf = (vendor: string, model: string, { long, ...short }: Priced) => {
  const ratio = (part: string | undefined, whole: string) =>
    part === undefined ? undefined : Number((Number(part) / Number(whole)).toFixed(12))
  const multipliers = ({ input, output }: Rates) => ({
    input: Number(input) / 2,
    output: Number(output) / 2,
  })
  const ratios = {
    cached_read_tokens: ratio(short.cached, short.input),
    cached_write_tokens: ratio(short.write, short.input),
    input_audio_tokens: ratio(short.audioInput, short.input),
    cached_read_audio_tokens: ratio(short.audioCached, short.input),
    output_audio_tokens: ratio(short.audioOutput, short.output),
  }
  return {
    model,
    type: 'tokens',
    channel_type: ownerOf(vendor),
    ...multipliers(short),
    extra_ratios: Object.fromEntries(
      Object.entries(ratios).filter(([, value]) => value !== undefined),
    ),
    tiers: long ? [{ above: long.above, ...multipliers(long) }] : null,
    locked: true,
  }
}

const models = billingVendors.flatMap(({ name, prices }) =>
  Object.keys(prices)
    // Bedrock serves Claude by Anthropic's dialect, which has its own fake.
    .filter(model => !(name === 'bedrock' && model.includes('claude')))
    .map(model => ({ vendor: name, model })),
)

beforeAll(async () => {
  vendors = await startBillingVendors(seed)
  const { status, text } = await hub.app.root.post('/api/user/quota/1', { quota: 1_000_000_000 })
  if (status !== 200) throw new TypeError(text)
  for (const { name, prices } of billingVendors) {
    const names = models.filter(each => each.vendor === name).map(each => each.model)
    await hub.addChannel(channelTypes[name]!, names.join(','), {
      ...{ name, key: keyOf(name), base_url: vendors.url(name) },
      ...(name === 'vertex' && { model_headers: JSON.stringify(vertexTier) }),
    })
    for (const model of names) {
      const path = `/api/prices/single/${encodeURIComponent(model)}`
      const { status, text } = await hub.app.root.put(path, priceOf(name, model, prices[model]!))
      if (status !== 200) throw new TypeError(`${model}: ${text}`)
    }
  }
})
afterAll(() => vendors?.close())

type Outcome = { call: BilledCall; status: number; text: string; requestId: string }

const send = async (call: BilledCall): Promise<Outcome> => {
  const response = await hub.post(call.path, call.body, call.headers)
  const requestId = response.headers.get('x-request-id') ?? ''
  return { call, status: response.status, text: await response.text(), requestId }
}

const sendAll = async (): Promise<Outcome[]> => {
  const outcomes: Outcome[] = []
  let next = 0
  const worker = async () => {
    while (next < count) {
      next += 1
      outcomes.push(await send(makeCall(seed, next, models)))
    }
  }
  await Promise.all(Array.from({ length: 4 }, worker))
  return outcomes
}

/** Points by the id of the request, once no hold is open. */
const chargedPoints = async (): Promise<Map<string, number>> => {
  const { db } = hub.app.app
  const holds = () => db.selectFrom('holds').select('id').execute()
  await expect.poll(holds, { interval: 10, timeout: 20_000 }).toEqual([])
  const rows = await db.selectFrom('transfers').selectAll().where('kind', '=', 'request').execute()
  return new Map(rows.map(({ source, amount }) => [source, Number(amount)]))
}

/** Rounded up once per call, at least one point: `docs/ledger.md` and `billing/README.md`. */
const pointsOf = (amount: Usd): number => {
  const unit = 10n ** 18n
  return Number((amount * pointsPerUsd + unit - 1n) / unit)
}

it(`charges ${count} random calls what their vendors bill, to the point (seed ${seed})`, async () => {
  const outcomes = await sendAll()
  const charged = await chargedPoints()
  const wrong: unknown[] = []
  let billed = 0
  let paid = 0
  let billedCalls = 0
  for (const { call, status, text, requestId } of outcomes) {
    const entries = vendors.bill.get(call.id) ?? []
    const bill = entries.reduce((sum, { amount }) => sum + pointsOf(amount), 0)
    const charge = charged.get(requestId) ?? 0
    billed += bill
    paid += charge
    if (bill > 0) billedCalls += 1
    if (bill !== charge)
      wrong.push({ call, status, text: text.slice(0, 500), bill, charge, entries })
  }
  // A hub that refuses everything would agree with every bill.
  expect(billedCalls).toBeGreaterThan(count / 2)
  expect(wrong.slice(0, 5)).toEqual([])
  expect(paid).toBe(billed)
}, 300_000)
