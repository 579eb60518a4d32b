import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import {
  type ChatEvent,
  collect,
  type Dialect,
  type DialectId,
  dialectOf,
  embeddingsOf,
  type Framing,
  frameReader,
  inputTokens,
  outputTokens,
  type Upstream,
} from '@hub/dialects'
import { describe, expect, it } from 'vitest'
import { addressOf, type Kept, meaningOf, optionsForm, type Provider } from './define.ts'
import { deepEdits, topEdits } from './quirks.ts'

const planted = 'sk-planted-credential-2718281828'
const kit = { now: () => 1_700_000_000_000 }

/**
 * What every provider owes; a vendor's test file is a call of this, with its fixtures beside it. `meant` names the fault
 * of each recorded refusal that this vendor's `means` know; the others mean what their status says. `kept` is what an
 * operator keeps of a channel where that is more than a key: a credential with the planted one in it, the free field. Of
 * a vendor that serves other models in another `dialect`, what is said in that stands in a folder of its name.
 */
export const conform = (
  provider: Provider,
  testUrl: string,
  meant: Readonly<Record<string, string>> = {},
  { credential = planted, other = '', dialect: id }: Partial<Kept & { dialect: DialectId }> = {},
) =>
  describe(`${provider.name} conforms${id ? `, in ${id}` : ''}`, () => {
    const folder = fileURLToPath(new URL('./fixtures/', testUrl))
    const fixture = (name: string) => readFileSync(`${folder}${name}`)
    const refusals = readdirSync(folder).filter(name => name.startsWith('fault-'))
    const say = (name: string) => fixture(id ? `${id}/${name}` : name)
    const endpoint = provider.serves.chat?.find(each => !id || each.dialect === id)
    const dialect: Upstream = dialectOf(endpoint!.dialect)
    const said = words[dialect.id]
    const named = { model: 'm', stream: false }
    const channel = { model: 'm', stream: true, options: {}, other, credential }

    it('says who it is, in words that logs and metrics can carry', () => {
      expect(provider.id).toMatch(/^[a-z][a-z0-9-]*$/)
      expect(provider.type).toBeGreaterThan(0)
      expect(provider.name).not.toBe('')
      if (provider.baseUrl !== '') expect(provider.presets).toContain(provider.testModel)
    })

    it('says where each of its fixtures comes from', () => {
      const source = String(fixture('source.txt'))
      const isNamed = (name: string) =>
        /Every file/.test(source) ||
        /The other files/.test(source) ||
        source.includes(name) ||
        source.includes(name.replace(/(fault-\d+)-.*/, '$1-*.json'))
      for (const name of readdirSync(folder))
        expect([name, name === 'source.txt' || isNamed(name)]).toEqual([name, true])
      expect(source).toMatch(/https:\/\//)
    })

    it('has an address', () => {
      const baseUrl = provider.baseUrl || 'https://upstream.example/'
      const address = addressOf(provider, endpoint!, { ...channel, baseUrl })
      expect(new URL(address!).pathname).toMatch(said.path)
      expect(address).not.toMatch(/[^:]\/\//)
    })

    const [embedding] = provider.serves.embeddings ?? []
    if (embedding)
      it('has an address for embeddings', () => {
        const baseUrl = provider.baseUrl || 'https://upstream.example/'
        const batch = { ...channel, stream: false, isBatch: true, baseUrl }
        const address = addressOf(provider, embedding, batch)
        expect(new URL(address!).pathname).toMatch(/(\/embeddings|:batchEmbedContents)$/)
        expect(address).not.toMatch(/[^:]\/\//)
        expect(embeddingsOf(embedding.dialect)).toBeDefined()
      })

    it('sends what the caller said, but for its quirks', () => {
      const asked = dialect.read(say('chat.request.json'), named)
      if (!asked.ok) throw new Error(asked.hint)
      const limited = { model: 'mapped', ...said.limit }
      const edits = topEdits(endpoint!.quirks, asked.ask, asked.ask.model, limited)
      const sent = deepEdits(endpoint!.quirks, dialect.splice(asked.ask, edits), 'mapped')
      const before = JSON.parse(String(asked.ask.body))
      const after = JSON.parse(String(sent))
      // A body that does not name the model has it in its address.
      const place = { ...channel, model: 'mapped', baseUrl: 'https://a.example' }
      if (after.model === undefined) expect(addressOf(provider, endpoint!, place)).toMatch(/mapped/)
      else expect(after.model).toBe('mapped')
      expect(after[said.messages]).toEqual(before[said.messages])
      expect([after.max_completion_tokens, after.max_tokens].filter(Boolean)).toEqual(
        Object.values(said.limit).filter(Boolean),
      )
      const again = before.model === undefined ? after : { ...after, model: 'mapped' }
      expect(dialect.read(Buffer.from(JSON.stringify(again)), named).ok).toBe(true)
    })

    it('has its answer understood, figure by figure', () => {
      const reply = dialect.readReply(say('chat.reply.json'))
      if (!reply.ok || typeof reply.usage !== 'object') throw new Error('an answer with usage')
      const told = said.totals(JSON.parse(String(say('chat.reply.json')))[said.usage])
      expect(inputTokens(reply.usage)).toBe(told.input)
      expect(inputTokens(reply.usage) + outputTokens(reply.usage)).toBe(told.total)
    })

    it('has its stream understood, with the last figures it tells', () => {
      const { framing } = endpoint!
      const stream = say(`chat.stream.${framing}`)
      const frames = framesIn(framing, stream)
      const usage =
        'tap' in dialect && framing === 'sse'
          ? passed(dialect as Dialect, stream)
          : decoded(dialect, frames)
      const told = said.totals(lastUsageIn(frames, said.usage))
      if (typeof usage !== 'object') throw new Error(`usage is ${usage}`)
      expect(inputTokens(usage)).toBe(told.input)
      expect(inputTokens(usage) + outputTokens(usage)).toBe(told.total)
    })

    it('has its refusals read', () => {
      expect(refusals.length).toBeGreaterThan(0)
      for (const name of refusals) {
        const { message } = dialect.decodeFault(fixture(name))
        expect(message).not.toBe('')
        expect(String(fixture(name))).toContain(JSON.stringify(message).slice(1, -1))
      }
    })

    it('has each meaning recorded, and each recorded refusal mean what it should', () => {
      const found = refusals.map(name => {
        const status = Number(name.match(/^fault-(\d+)/)?.[1])
        return [
          name,
          meaningOf(provider.means, { status, ...dialect.decodeFault(fixture(name)) }),
        ] as const
      })
      const known = found.flatMap(([name, meaning]) => (meaning ? [[name, meaning.fault]] : []))
      expect(Object.fromEntries(known)).toEqual(meant)
      expect(new Set(found.flatMap(([, meaning]) => meaning ?? []))).toEqual(
        new Set(provider.means),
      )
    })

    it('signs the same way twice, and shows the credential in no address', () => {
      const signature = provider.sign(kit, credential)
      expect(provider.sign(kit, credential)).toEqual(signature)
      // A key that signs is not shown; one that is shown is shown whole.
      if (credential.includes(planted)) expect(JSON.stringify(signature)).toContain(planted)
      else expect(JSON.stringify(signature)).not.toContain(credential)
      for (const name of Object.keys(signature.headers)) expect(name).toBe(name.toLowerCase())
      const signed = { ...channel, baseUrl: provider.baseUrl || 'https://a.example' }
      expect(addressOf(provider, endpoint!, signed)).not.toContain(planted)
    })

    it('draws a form', () => {
      expect(() => optionsForm(provider)).not.toThrow()
      expect(provider.credential.safeParse(credential).success).toBe(true)
      expect(provider.credential.safeParse('').success).toBe(false)
    })
  })

type Figures = Record<string, number | undefined>

/** How each dialect writes what is looked at here. */
const openai = {
  path: /\/chat\/completions$/,
  messages: 'messages',
  limit: { max_tokens: undefined, max_completion_tokens: 64 },
  usage: 'usage',
  totals: (usage: Figures) => ({ input: usage.prompt_tokens, total: usage.total_tokens }),
}
const words = {
  'openai-chat': openai,
  'openai-responses': { ...openai, path: /\/responses$/, messages: 'input' },
  anthropic: {
    ...openai,
    path: /\/(messages|invoke(-with-response-stream)?)$/,
    limit: { max_tokens: 64 },
    totals: (usage: Figures) => ({
      input: usage.input_tokens,
      total: (usage.input_tokens ?? 0) + (usage.output_tokens ?? 0),
    }),
  },
  gemini: {
    ...openai,
    path: /:(streamG|g)enerateContent$/,
    messages: 'contents',
    limit: {},
    usage: 'usageMetadata',
    totals: (usage: Figures) => ({ input: usage.promptTokenCount, total: usage.totalTokenCount }),
  },
  converse: {
    ...openai,
    path: /\/converse(-stream)?$/,
    limit: {},
    totals: (usage: Figures) => ({ input: usage.inputTokens, total: usage.totalTokens }),
  },
} satisfies Record<DialectId, unknown>

/** The usage that a caller of the same dialect is billed by, whose bytes stay as they are. */
const passed = (dialect: Dialect, stream: Buffer) => {
  const tap = dialect.tap({ wantsUsage: true } as Parameters<typeof dialect.tap>[0])
  const pushed = tap.push(stream)
  const isOver = tap.end?.() ?? tap.closed()
  const out = Buffer.concat([...pushed, tap.tail()])
  expect(String(out)).toBe(String(stream))
  expect([isOver, tap.garbage(), tap.failure()]).toEqual([true, 0, undefined])
  expect(tap.metered()).toBeGreaterThan(0)
  return tap.usage()
}

/** The same where the frames are cut otherwise, so that no bytes can pass. */
const decoded = (dialect: Upstream, frames: readonly Frame[]) => {
  const events: ChatEvent[] = []
  const decoder = dialect.decodeFrames(event => events.push(event))
  for (const { data, event } of frames) decoder.frame(data, event)
  decoder.close()
  expect([events.at(-1)?.type, decoder.garbage()]).toEqual(['end', 0])
  const reply = collect(events)
  expect(reply.choices[0]?.parts.length).toBeGreaterThan(0)
  return reply.reported?.usage
}

type Frame = { data: string; event: string }

const framesIn = (framing: Framing, stream: Buffer): Frame[] => {
  const frames: Frame[] = []
  const reader = frameReader(framing, (data, event) => frames.push({ data, event }))
  expect(reader.push(stream)).toBe(true)
  reader.end()
  return frames.filter(({ data }) => data.startsWith('{'))
}

/** What a stream says last of each figure. */
const lastUsageIn = (frames: readonly Frame[], key: string): Figures =>
  Object.assign(
    {},
    ...frames.map(frame => JSON.parse(frame.data)).map(data => data[key] ?? data.message?.[key]),
  )
