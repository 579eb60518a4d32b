import { setTimeout } from 'node:timers/promises'
import type { Administrator } from '../harness/admin.ts'
import { change } from '../harness/ledger.ts'
import { until } from '../harness/runner/until.ts'
import type { Hub } from './hub.ts'

const day = 86_400
const days = 34

/** Points of a call are USD for a million tokens, times tokens, by half. */
const models = [
  { name: 'claude-sonnet-4-5', owner: 14, input: 3, output: 15, channel: 2, share: 26 },
  { name: 'gpt-4.1', owner: 1, input: 2, output: 8, channel: 0, share: 20 },
  { name: 'gpt-4o-mini', owner: 1, input: 0.15, output: 0.6, channel: 1, share: 30 },
  { name: 'gemini-2.5-pro', owner: 25, input: 1.25, output: 10, channel: 3, share: 12 },
  { name: 'gemini-2.5-flash', owner: 25, input: 0.3, output: 2.5, channel: 3, share: 16 },
  { name: 'deepseek-chat', owner: 28, input: 0.28, output: 0.42, channel: 4, share: 22 },
  { name: 'claude-haiku-4-5', owner: 14, input: 1, output: 5, channel: 2, share: 14 },
  { name: 'qwen3-coder-plus', owner: 17, input: 1, output: 5, channel: 5, share: 8 },
  { name: 'o4-mini', owner: 1, input: 1.1, output: 4.4, channel: 0, share: 6 },
  { name: 'text-embedding-3-small', owner: 1, input: 0.02, output: 0, channel: 1, share: 10 },
]

const channels = [
  ['OpenAI, main account', 1, 10],
  ['OpenAI, spare account', 1, 0],
  ['Anthropic, team', 14, 10],
  ['Google AI Studio', 25, 10],
  ['DeepSeek', 28, 10],
  ['Alibaba Cloud', 17, 5],
] as const

const people = ['ada', 'lin', 'kenji', 'marta', 'noah', 'yuki', 'omar', 'sofia']
const failures = ['upstream.rate_limited', 'upstream.timeout', 'quota.insufficient', 'caller.left']

/** A repeatable sequence, so that pictures change with the console only. */
const makeRandom = (seed: number) => (below: number) => {
  seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31
  return Math.floor((seed / 2 ** 31) * below)
}
const random = makeRandom(20_261)

const text = (value: string) => `'${value.replaceAll("'", "''")}'`

/** Each model as often as its share. */
const drawn = models.flatMap(model => Array.from({ length: model.share }, () => model))
const drawModel = () => drawn[random(drawn.length)]!

/** A coding agent of a user has one session in each quarter of a day. */
const sessionOf = (model: string, userId: number, at: number): string | undefined => {
  if (!/^claude|coder/.test(model)) return undefined
  const time = Math.floor(at / 21_600)
    .toString(16)
    .padStart(8, '0')
  return `${time}-7c11-7b52-9d3e-${(userId * 7_919).toString(16).padStart(12, '0')}`
}

type Ids = { channels: number[]; users: { id: number; name: string }[] }

/** A call at a second, as a row of the logs. Weekends are quiet, and so are nights. */
const callRow = (id: number, at: number, ids: Ids): string => {
  const { name, input, output, channel } = drawModel()
  const user = ids.users[Math.min(random(ids.users.length), random(ids.users.length))]!
  const [prompt, completion] = [400 + random(9_000), output ? 60 + random(1_800) : 0]
  const isFailed = random(60) === 0
  const first = 180 + random(900)
  const code = failures[Math.min(random(4), random(4))]!
  const metadata = isFailed
    ? { operation: 'chat', path: '/v1/chat/completions', status: 502, charged: false, count: 1 }
    : {
        ...{ group_name: random(4) ? 'default' : 'vip', group_ratio: 1, first_response: first },
        session: sessionOf(name, user.id, at),
      }
  const points = isFailed ? 0 : Math.round((prompt * input + completion * output) / 2)
  const values = [
    ...[id, user.id, at, isFailed ? 5 : 2, text(isFailed ? code : ''), text(user.name)],
    ...[text('laptop'), text(name), points, isFailed ? 0 : prompt, isFailed ? 0 : completion],
    ...[ids.channels[channel], first + completion * 9, random(4) ? 1 : 0, text('192.0.2.7')],
    text(JSON.stringify(metadata)),
  ]
  return `(${values.join(',')})`
}

/** Fills a month of a team: channels of six vendors, eight people, about 9,000 calls, orders and invoices. */
export const fillMonth = async ({ gateway, upstream, admin }: Hub): Promise<void> => {
  const ids: Ids = { channels: [], users: [] }
  for (const [index, [name, type, priority]] of channels.entries()) {
    const served = models.filter(({ owner }) => owner === type).map(each => each.name)
    await admin.addChannel(`${upstream.url}/a`, { name, type, priority, models: served.join() })
    ids.channels.push(index + 1)
  }
  for (const { name, owner, input, output } of models) {
    await admin.setPrice(name, 'tokens', input / 2, output / 2)
    await change(gateway, `update prices set channel_type = ${owner} where model = ${text(name)}`)
  }
  const now = Math.floor(Date.now() / 1000)
  for (const name of people) {
    const person = await admin.addPerson(25_000_000, { name: 'laptop' }, { display_name: name })
    ids.users.push({ id: person.id, name })
    const joined = now - random(days) * day
    const inviter = random(3) === 0 ? 1 : 0
    await change(
      gateway,
      `update users set username = ${text(name)}, username_key = ${text(name)}, created_time = ${joined},
        inviter_id = ${inviter} where id = ${person.id}`,
    )
  }
  // The administrator who looks at the pages makes a few calls too.
  ids.users.push({ id: 1, name: 'root' })
  const rows: string[] = []
  for (let at = now - days * day; at < now; at += 200 + random(240)) {
    const date = new Date(at * 1000)
    const isQuiet = date.getUTCHours() < 7 || [0, 6].includes(date.getUTCDay())
    if (!isQuiet || random(5) === 0) rows.push(callRow(rows.length + 1, at, ids))
  }
  const columns =
    'id, user_id, created_at, type, content, username, token_name, model_name, quota, prompt_tokens, completion_tokens, channel_id, request_time, is_stream, source_ip, metadata'
  for (let from = 0; from < rows.length; from += 500)
    await change(
      gateway,
      `insert into logs (${columns}) values ${rows.slice(from, from + 500).join()}`,
    )
  await change(
    gateway,
    `update accounts set
      used = (select coalesce(sum(quota), 0) from logs where logs.user_id = accounts.user_id),
      requests = (select count(*) from logs where logs.user_id = accounts.user_id and type = 2)`,
  )
  await addPayments(gateway, ids, now)
  await addModelInfo(admin)
  await addInvoices(gateway, admin)
  // The job that sums logs runs once a minute.
  await until(
    'the month is summed',
    async () => {
      await setTimeout(2_000)
      const { complete } = await admin.api<{ complete: boolean }>('GET', '/api/operations/overview')
      return complete
    },
    180_000,
  )
}

const addPayments = async (gateway: Hub['gateway'], { users }: Ids, now: number) => {
  for (let index = 0; index < 24; index += 1) {
    const at = now - random(days) * day
    const dollars = [5, 10, 20, 50][random(4)]!
    const user = users[random(users.length)]!.id
    const columns =
      'user_id, gateway_id, trade_no, gateway_no, reference, amount, pay_amount, currency, points, fee, discount, discount_factor, exchange_rate, status, review_reason, refunded_total, taken_back, take_backs, source_ip, created_at, expires_at, credited_at, queries'
    const values = `${user}, 1, 'month${index}', '', '', ${dollars}, ${dollars * 730}, 'CNY', ${dollars * 500_000}, 0, 0, '1', '7.3', 'credited', '', 0, 0, 0, '', ${at}, ${at}, ${at}, 0`
    await change(gateway, `insert into orders (${columns}) values (${values})`)
    // The postings of the orders, from the account of payments (-3).
    const posting = `${10_000_000 + index}, ${at}, 'order', 'order:${index + 1}', -3, ${user}`
    await change(
      gateway,
      `insert into transfers (id, at, kind, source, debit, credit, amount, token_id, channel_id, price_id, usage)
        values (${posting}, ${dollars * 500_000}, 0, 0, 0, '')`,
    )
  }
}

const support_url = '[]'
const output_modalities = '["text"]'
/** Most models have a description. */
const descriptions = [
  {
    ...{ model: 'claude-sonnet-4-5', name: 'Claude Sonnet 4.5', tags: '["Code","Hot"]' },
    description: 'Writes code and works with tools for hours.',
    ...{ context_length: 200_000, max_tokens: 64_000, input_modalities: '["text","image"]' },
  },
  {
    ...{ model: 'claude-haiku-4-5', name: 'Claude Haiku 4.5', tags: '["Fast"]' },
    description: 'Answers fast, for agents with many steps.',
    ...{ context_length: 200_000, max_tokens: 64_000, input_modalities: '["text","image"]' },
  },
  {
    ...{ model: 'gpt-4.1', name: 'GPT-4.1', tags: '["Code"]' },
    description: 'Reads long documents and pictures.',
    ...{ context_length: 1_047_576, max_tokens: 32_768, input_modalities: '["text","image"]' },
  },
  {
    ...{ model: 'gpt-4o-mini', name: 'GPT-4o mini', tags: '["Fast","Cheap"]' },
    description: 'Sorts, summarises and extracts at a low price.',
    ...{ context_length: 128_000, max_tokens: 16_384, input_modalities: '["text","image"]' },
  },
  {
    ...{ model: 'gemini-2.5-pro', name: 'Gemini 2.5 Pro', tags: '["Hot"]' },
    description: 'Understands films, sound and pictures.',
    ...{ context_length: 1_048_576, max_tokens: 65_536 },
    input_modalities: '["text","image","audio","video"]',
  },
  {
    ...{ model: 'deepseek-chat', name: 'DeepSeek Chat', tags: '["Cheap"]' },
    description: 'Answers general questions at a low price.',
    ...{ context_length: 128_000, max_tokens: 8_192, input_modalities: '["text"]' },
  },
]

const addModelInfo = async (admin: Administrator): Promise<void> => {
  for (const description of descriptions)
    await admin.api('POST', '/api/model_info/', { ...description, output_modalities, support_url })
}

/** The invoices of the month that has ended, from a posting for each call. */
const addInvoices = async (gateway: Hub['gateway'], admin: Administrator): Promise<void> => {
  // Charges go to the account of revenue (-1).
  await change(
    gateway,
    `insert into transfers (id, at, kind, source, debit, credit, amount, token_id, channel_id, price_id, usage)
      select id, created_at, 'request', '', user_id, -1, quota, 0, channel_id, 0, '' from logs where type = 2`,
  )
  await admin.setOption('UserInvoiceMonth', 'true')
  await until(
    'the invoices are made',
    async () => {
      await setTimeout(2_000)
      const { data } = await admin.api<{ data: unknown[] }>('GET', '/api/user/invoice')
      return data.length > 0
    },
    180_000,
  )
}
