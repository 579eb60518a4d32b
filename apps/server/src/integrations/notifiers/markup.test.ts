import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import {
  type NotifierServices,
  type ServiceName,
  startNotifierServices,
} from '../../../../../test/harness/notifiers/start.ts'
import { postGuarded } from '../../lib/http/post-guarded.ts'
import { notifiers } from './index.ts'
import type { Message, Network } from './notifier.ts'
import { sendBySmtp } from './smtp.ts'

let now = 1_750_000_000_000
let services: NotifierServices
beforeAll(async () => {
  services = await startNotifierServices(() => now)
})
afterAll(() => services?.close())

const smtp = () => {
  const { SMTPServer: server = '', SMTPPort: port, SMTPFrom: from = '' } = services.mailSettings
  return { server, port: Number(port), from, account: '', password: '', senderName: 'One Hub' }
}
const rules = { ports: { has: () => true }, isExempt: () => true, nameServers: [] }
const network: Network = {
  now: () => now,
  sendEmail: (to, message) => sendBySmtp(smtp(), { ...message, to }),
  post: async request => {
    const result = await postGuarded(request, { rules, timeoutMs: 10_000, bytesMax: 65_536 })
    if (!result.ok) throw new TypeError(result.reason)
    return result
  },
}
const send = async (name: ServiceName, message: Message) => {
  now += 10_000
  const notifier = notifiers.find(each => each.id === name)!
  await notifier.send(notifier.config.parse(services.config(name)), message, network)
}

/** These texts are markup for some service, take several units or bytes, or are halves of a surrogate pair. */
const pieces = fc.oneof(
  fc.constantFrom(
    ...[
      '<b>',
      '</b>',
      '&',
      '&amp;',
      '[x](http://evil.example)',
      '**',
      '`',
      '\\',
      '\n# ',
      '\n> ',
      '\n- ',
    ],
    ...[
      '<at user_id="all">',
      '<@everyone>',
      '@here',
      '😀',
      '👩‍👩‍👧',
      '汉字',
      '\ud83d',
      '\ude00',
      '\u0000',
      '\u200b',
    ],
    ...[
      '<font color="warning">',
      '![](http://evil.example/x.png)',
      '|',
      '~~',
      '"',
      "'",
      '1. ',
      '_',
    ],
  ),
  fc.string({ unit: 'binary', maxLength: 8 }),
)
const textOf = (length: number) =>
  fc
    .array(pieces, { minLength: 1, maxLength: 6 })
    .map(parts => parts.join('').repeat(Math.ceil(length / Math.max(1, parts.join('').length))))
    .map(text => text.slice(0, length))
/** Lengths at, just below and just above the limits of each service. */
const limits = [1, 31, 33, 150, 256, 2500, 3000, 3990, 4096, 4097, 18_000, 20_001, 33_000]

/** The soak raises it to 1,000 for each service. */
const numRuns = Number(process.env.HUB_NOTIFICATION_TEXTS ?? 100)
const seed = Number(process.env.HUB_SEED ?? 7)

it('generated texts at the limits are accepted by each service, within its size and markup', async () => {
  const cases = fc.sample(
    fc.record({
      title: fc.constantFrom(1, 31, 33, 150, 257).chain(textOf),
      text: fc.constantFrom(...limits).chain(textOf),
    }),
    { numRuns, seed },
  )
  const before = services.names.map(name => services.accepted[name].length)
  for (const [n, { title, text }] of cases.entries())
    for (const name of services.names)
      await send(name, {
        id: `message-${n}-${name}`,
        title: `T ${title}`,
        paragraphs: [text],
        link: { label: 'Open', url: 'https://hub.example/panel/log' },
        events: [{ type: 'test', at: 1_750_000_000, count: 1, facts: {} }],
      })
  expect(services.violations).toEqual([])
  expect(services.names.map((name, n) => services.accepted[name].length - before[n]!)).toEqual(
    services.names.map(() => cases.length),
  )
  console.log(`Notifications on ${services.names.length} services: each took ${numRuns} texts`)
})

it('a short text arrives as it is, and a long one says that it was cut', async () => {
  const words = 'a < b && c > d: gpt_4.1-mini *now* [x](y) `z`'
  for (const name of services.names) {
    const message = { id: 'm', title: 'Title', events: [] }
    await send(name, { ...message, id: `${name}-1`, paragraphs: [words] })
    const shown = services.accepted[name].at(-1)!.normalize('NFKC')
    expect([name, shown.includes('gpt_4.1-mini')]).toEqual([name, true])
    await send(name, { ...message, id: `${name}-2`, paragraphs: ['x'.repeat(50_000)] })
    const isWhole = name === 'webhook' || name === 'email'
    expect([name, services.accepted[name].at(-1)!.includes('…')]).toEqual([name, !isWhole])
  }
})
