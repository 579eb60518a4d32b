import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import {
  type ChatEvent,
  collectAnswer,
  type Dialect,
  type DialectId,
  embeddingsOf,
  type Framing,
  frameReader,
  inputTokens,
  type Json,
  openaiChat,
  outputTokens,
  type SharedDialectId,
  type UpstreamDialect,
} from '@hub/dialects'
import { describe, expect, it } from 'vitest'
import { addressOf } from './address.ts'
import type { ChannelConfig, Provider } from './define.ts'
import { defineEndpoint, optionsForm, upstreamDialectOf } from './define.ts'
import { isEmptyAccount } from './empty-accounts.ts'
import { findErrorRule } from './error-rules.ts'
import { deepEdits, topEdits } from './quirks.ts'

const plantedCredential = 'sk-planted-credential-2718281828'
const signingContext = { now: () => 1_700_000_000_000 }

/** Fixture file names of recorded errors, with the fault code that the provider's `errorRules` must give. */
type ExpectedFaults = Readonly<Record<string, string>>
type ConformOptions = Partial<ChannelConfig & { dialect: DialectId; format: VendorFormatNames }>

/**
 * Tests that every provider must pass. A vendor's test file calls this function, with its fixtures in `fixtures/` next to
 * it. Errors without an entry in `expectedFaults` are classified by their status. `credential` and `other` are needed if
 * a channel needs more than a key; the credential must contain the planted one. `dialect` selects another endpoint than
 * the default one, with its fixtures in a folder of that name. `format` names the fields of a vendor's private format.
 */
export const conform = (
  provider: Provider,
  testUrl: string,
  expectedFaults: ExpectedFaults = {},
  options: ConformOptions = {},
) =>
  describe(`${provider.name} conforms${options.dialect ? `, in ${options.dialect}` : ''}`, () => {
    const subject = makeSubject(provider, testUrl, options)
    testIdentity(subject)
    if (provider.serves.chat) {
      testAddresses(subject)
      testRequest(subject)
      testResponses(subject)
    }
    testErrors(subject, expectedFaults)
    testCredential(subject)
  })

type Subject = ReturnType<typeof makeSubject>

const makeSubject = (
  provider: Provider,
  testUrl: string,
  { credential = plantedCredential, other = '', dialect: id, format }: ConformOptions,
) => {
  const folder = fileURLToPath(new URL('./fixtures/', testUrl))
  const readFixture = (name: string) => readFileSync(`${folder}${name}`)
  const { chat = [] } = provider.serves
  // A vendor without chat is tested by its addresses, errors and credential.
  const endpoint =
    chat.find(each => !id || each.dialect === id) ??
    Object.values(provider.serves)[0]?.[0] ??
    // Tasks build their own paths.
    defineEndpoint('openai-chat', '/')
  const dialect = chat.length > 0 ? upstreamDialectOf(endpoint) : openaiChat
  return {
    provider,
    folder,
    readFixture,
    readChatFixture: (name: string) => readFixture(id ? `${id}/${name}` : name),
    endpoint,
    dialect,
    format: format ? { ...openai, limit: {}, ...format } : formats[dialect.id as SharedDialectId],
    baseUrl: provider.baseUrl || 'https://upstream.example/',
    channel: { model: 'm', stream: true, options: {}, other, credential },
  }
}

const testIdentity = ({ provider, folder, readFixture, channel: { credential } }: Subject) => {
  it('has an id for logs and metrics, a name, and a test model among its default models', () => {
    expect(provider.id).toMatch(/^[a-z][a-z0-9-]*$/)
    expect(provider.type).toBeGreaterThan(0)
    expect(provider.name).not.toBe('')
    const { baseUrl, defaultModels, testModel } = provider
    // A wildcard cannot be tested.
    if (baseUrl !== '' && defaultModels.some(each => !each.endsWith('*')))
      expect(defaultModels).toContain(testModel)
  })

  it('documents the source of each fixture', () => {
    const source = String(readFixture('source.txt'))
    const isNamed = (name: string) =>
      /Every file/.test(source) ||
      /The other files/.test(source) ||
      source.includes(name) ||
      source.includes(name.replace(/(fault-\d+)-.*/, '$1-*.json'))
    // Each file of `operations` names its own source.
    for (const name of readdirSync(folder).filter(each => each !== 'operations'))
      expect([name, name === 'source.txt' || isNamed(name)]).toEqual([name, true])
    expect(source).toMatch(/https:\/\//)
  })

  it('has a form for the console, and a credential that cannot be empty', () => {
    expect(() => optionsForm(provider)).not.toThrow()
    expect(provider.credential.safeParse(credential).success).toBe(true)
    expect(provider.credential.safeParse('').success).toBe(false)
  })
}

const testAddresses = ({ provider, endpoint, format, baseUrl, channel }: Subject) => {
  it('has an address for chats', () => {
    const address = addressOf(provider, endpoint, { ...channel, baseUrl })
    expect(new URL(address!).pathname).toMatch(format.path)
    expect(address).not.toMatch(/[^:]\/\//)
  })

  const [embedding] = provider.serves.embeddings ?? []
  if (embedding)
    it('has an address for embeddings', () => {
      const batch = { ...channel, stream: false, isBatch: true, baseUrl }
      const address = addressOf(provider, embedding, batch)
      expect(new URL(address!).pathname).toMatch(
        embedding.vendorEmbeddings ? /(\/invoke|:predict)$/ : /(\/embeddings|:batchEmbedContents)$/,
      )
      expect(address).not.toMatch(/[^:]\/\//)
      expect(
        embedding.vendorEmbeddings ?? embeddingsOf(embedding.dialect as SharedDialectId),
      ).toBeDefined()
    })
}

const testRequest = ({ provider, endpoint, dialect, format, readChatFixture, channel }: Subject) =>
  it('sends the request of the caller, changed by its quirks only', () => {
    const pathParams = { model: 'm', stream: false }
    const result = dialect.read(readChatFixture('chat.request.json'), pathParams)
    if (!result.ok) throw new Error(result.hint)
    const request = result.parsed
    const limited = { model: 'mapped', ...format.limit }
    const edits = topEdits(endpoint.quirks, request, request.model, limited)
    const sent = deepEdits(endpoint.quirks, dialect.splice(request, edits), 'mapped')
    const before = JSON.parse(String(request.body))
    const after = JSON.parse(String(sent))
    // A body without the model has it in its address.
    const context = { ...channel, model: 'mapped', baseUrl: 'https://a.example' }
    const { model } = format
    if (model !== 'model') expect(after[model]).toBe(before[model])
    else if (after.model === undefined)
      expect(addressOf(provider, endpoint, context)).toMatch(/mapped/)
    else expect(after.model).toBe('mapped')
    expect(after[format.messages]).toEqual(before[format.messages])
    expect([after.max_completion_tokens, after.max_tokens].filter(Boolean)).toEqual(
      Object.values(format.limit).filter(Boolean),
    )
    const readable = before.model === undefined ? after : { ...after, model: 'mapped' }
    expect(dialect.read(Buffer.from(JSON.stringify(readable)), pathParams).ok).toBe(true)
  })

const testResponses = ({ endpoint, dialect, format, readChatFixture }: Subject) => {
  if (!('streamsOnly' in format && format.streamsOnly))
    it('has the usage of its whole answer read, figure by figure', () => {
      const answer = dialect.readAnswer(readChatFixture('chat.answer.json'))
      if (!answer.ok || typeof answer.usage !== 'object') throw new Error('an answer with usage')
      const body = JSON.parse(String(readChatFixture('chat.answer.json')))
      const reported = format.totals(valueAt(body, format.usage))
      expect(inputTokens(answer.usage)).toBe(reported.input)
      expect(inputTokens(answer.usage) + outputTokens(answer.usage)).toBe(reported.total)
    })

  it('has the usage of its stream read, by the last figures in it', () => {
    const { framing } = endpoint
    const stream = readChatFixture(`chat.stream.${framing}`)
    const frames = framesIn(framing, stream)
    const usage =
      'observeStream' in dialect && framing === 'sse'
        ? usageOfPassedStream(dialect as Dialect, stream)
        : usageOfDecodedFrames(dialect, frames)
    const reported = format.totals(lastUsageIn(frames, format.usage))
    if (typeof usage !== 'object') throw new Error(`usage is ${usage}`)
    expect(inputTokens(usage)).toBe(reported.input)
    expect(inputTokens(usage) + outputTokens(usage)).toBe(reported.total)
  })
}

const testErrors = (
  { provider, folder, readFixture, dialect }: Subject,
  expectedFaults: ExpectedFaults,
) => {
  const names = readdirSync(folder).filter(name => name.startsWith('fault-'))

  it('has the message of each recorded error read', () => {
    expect(names.length).toBeGreaterThan(0)
    for (const name of names) {
      const { message } = dialect.decodeFault(readFixture(name))
      expect(message).not.toBe('')
      expect(String(readFixture(name))).toContain(JSON.stringify(message).slice(1, -1))
    }
  })

  it('has a recorded error for each error rule and empty account, classified as expected', () => {
    const found = names.map(name => {
      const status = Number(name.match(/^fault-(\d+)/)?.[1])
      const error = { status, ...dialect.decodeFault(readFixture(name)) }
      const rule = findErrorRule(provider.errorRules, error)
      const isEmpty = isEmptyAccount(error, () => false)
      return { name, rule, fault: rule?.fault ?? (isEmpty ? 'upstream.funds' : undefined) }
    })
    const classified = found.flatMap(({ name, fault }) => (fault ? [[name, fault]] : []))
    expect(Object.fromEntries(classified)).toEqual(expectedFaults)
    expect(new Set(found.flatMap(each => each.rule ?? []))).toEqual(new Set(provider.errorRules))
  })
}

const testCredential = ({ provider, endpoint, channel }: Subject) =>
  it('signs the same way twice, and puts the credential into no address', () => {
    const { credential } = channel
    const signature = provider.sign(signingContext, credential)
    expect(provider.sign(signingContext, credential)).toEqual(signature)
    // A signing key is not part of the signature; any other credential is part of it as a whole.
    if (credential.includes(plantedCredential))
      expect(JSON.stringify(signature)).toContain(plantedCredential)
    else expect(JSON.stringify(signature)).not.toContain(credential)
    for (const name of Object.keys(signature.headers)) expect(name).toBe(name.toLowerCase())
    const signed = { ...channel, baseUrl: provider.baseUrl || 'https://a.example' }
    expect(addressOf(provider, endpoint, signed)).not.toContain(plantedCredential)
  })

type Figures = Record<string, number | undefined>

/** The names of a vendor's private format. `usage` is a path with dots. */
type VendorFormatNames = Pick<typeof openai, 'path' | 'usage' | 'totals'> &
  Partial<Pick<typeof openai, 'messages' | 'model'>> & {
    /** The vendor is always asked for a stream. */
    streamsOnly?: true
  }

/** The names that each dialect has for the fields under test. */
const openai = {
  path: /\/chat\/completions$/,
  model: 'model',
  messages: 'messages',
  limit: { max_tokens: undefined, max_completion_tokens: 64 },
  usage: 'usage',
  totals: (usage: Figures) => ({ input: usage.prompt_tokens, total: usage.total_tokens }),
}
const formats = {
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
} satisfies Record<SharedDialectId, unknown>

/** The usage that a pass-through stream is billed by. Its bytes must stay unchanged. */
const usageOfPassedStream = (dialect: Dialect, stream: Buffer) => {
  const observer = dialect.observeStream({ wantsUsage: true } as Parameters<
    typeof dialect.observeStream
  >[0])
  const pushed = observer.push(stream)
  const isOver = observer.end?.() ?? observer.isClosed()
  const out = Buffer.concat([...pushed, observer.tail()])
  expect(String(out)).toBe(String(stream))
  expect([isOver, observer.malformedFrames(), observer.failure()]).toEqual([true, 0, undefined])
  expect(observer.meteredTokens()).toBeGreaterThan(0)
  return observer.usage()
}

/** The usage of a stream in another framing, which cannot be passed through. */
const usageOfDecodedFrames = (dialect: UpstreamDialect, frames: readonly Frame[]) => {
  const events: ChatEvent[] = []
  const decoder = dialect.decodeFrames(event => events.push(event))
  for (const { data, event } of frames) decoder.pushFrame(data, event)
  decoder.end()
  expect([events.at(-1)?.type, decoder.malformedFrames()]).toEqual(['end', 0])
  const answer = collectAnswer(events)
  expect(answer.choices[0]?.parts.length).toBeGreaterThan(0)
  return answer.reportedUsage?.usage
}

type Frame = { data: string; event: string }

const framesIn = (framing: Framing, stream: Buffer): Frame[] => {
  const frames: Frame[] = []
  const reader = frameReader(framing, (data, event) => frames.push({ data, event }))
  expect(reader.push(stream)).toBe(true)
  reader.end()
  return frames.filter(({ data }) => data.startsWith('{'))
}

/** The last value of each usage figure in a stream. */
const lastUsageIn = (frames: readonly Frame[], key: string): Figures =>
  Object.assign(
    {},
    ...frames
      .map(frame => JSON.parse(frame.data))
      .map(data => valueAt(data, key) ?? valueAt(data.message, key) ?? valueAt(data.delta, key)),
  )

const valueAt = (data: unknown, path: string): Figures =>
  path.split('.').reduce<Json>((value, name) => value?.[name], data)
