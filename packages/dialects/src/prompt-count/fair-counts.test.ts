import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base'
import { describe, expect, it } from 'vitest'
import {
  areRecordings,
  itWithRecordings,
  recorded,
  recordedLines,
  recordings,
} from '../../../../test/harness/runner/recordings.ts'
import type { ChatAnswer } from '../canon.ts'
import { decodeStream } from '../generate/streams.ts'
import { anthropic, type Dialect, gemini, openaiChat, openaiResponses } from '../index.ts'
import { countPrompt, usualRatioOf } from './count.ts'
import { scriptTokens } from './script-tokens.ts'

/** The figures of these tests stand in docs/ledger.md. */
const report = (kind: string, errors: readonly number[]) => {
  const { median, p95 } = figuresOf(errors)
  const percent = (value: number) => `${(value * 100).toFixed(1)} %`
  process.stdout.write(
    `${kind}: ${errors.length}, median ${percent(median)}, p95 ${percent(p95)}\n`,
  )
}

const figuresOf = (errors: readonly number[]) => {
  const sorted = errors.toSorted((one, other) => one - other)
  const at = (share: number) => sorted[Math.ceil(sorted.length * share) - 1]!
  return { median: at(0.5), p95: at(0.95) }
}

const tokenize = (text: string) => countTokens(text, { disallowedSpecial: new Set() })

const fairTokens = (body: object, format: string, model: string): number => {
  const count = countPrompt(Buffer.from(JSON.stringify(body)), { format, model }, tokenize)
  return Math.round(count.textTokens * usualRatioOf(model) + count.otherTokens)
}

const weather = {
  name: 'get_current_weather',
  description: 'Get the current weather in a given location',
  parameters: {
    type: 'object',
    properties: {
      location: { type: 'string', description: 'The city and state, e.g. San Francisco, CA' },
      unit: {
        type: 'string',
        description: 'The unit of temperature to return',
        enum: ['celsius', 'fahrenheit'],
      },
    },
    required: ['location'],
  },
}
const { unit: _, ...location } = weather.parameters.properties
const question = "What's the weather like in San Francisco?"

// https://developers.openai.com/cookbook/examples/how_to_count_tokens_with_tiktoken
// https://platform.claude.com/docs/en/build-with-claude/token-counting
// https://ai.google.dev/api/tokens
const documented: [string, { format: string; model: string; body: object; tokens: number }][] = [
  [
    'messages of OpenAI',
    {
      ...{ format: 'openai-chat', model: 'gpt-4o', tokens: 124 },
      body: {
        messages: [
          {
            role: 'system',
            content:
              'You are a helpful, pattern-following assistant that translates corporate jargon into plain English.',
          },
          ...[
            ['example_user', 'New synergies will help drive top-line growth.'],
            ['example_assistant', 'Things working well together will increase revenue.'],
            [
              'example_user',
              "Let's circle back when we have more bandwidth to touch base on opportunities for increased leverage.",
            ],
            ['example_assistant', "Let's talk later when we're less busy about how to do better."],
          ].map(([name, content]) => ({ role: 'system', name, content })),
          {
            role: 'user',
            content:
              "This late pivot means we don't have time to boil the ocean for the client deliverable.",
          },
        ],
      },
    },
  ],
  [
    'tools of OpenAI',
    {
      ...{ format: 'openai-chat', model: 'gpt-4o', tokens: 101 },
      body: {
        messages: [
          {
            role: 'system',
            content: 'You are a helpful assistant that can answer to questions about the weather.',
          },
          { role: 'user', content: question },
        ],
        tools: [{ type: 'function', function: weather }],
      },
    },
  ],
  [
    'messages of Anthropic',
    {
      ...{ format: 'anthropic', model: 'claude-opus-4-6', tokens: 14 },
      body: {
        system: 'You are a scientist',
        messages: [{ role: 'user', content: 'Hello, Claude' }],
      },
    },
  ],
  [
    'tools of Anthropic',
    {
      ...{ format: 'anthropic', model: 'claude-opus-4-6', tokens: 403 },
      body: {
        messages: [{ role: 'user', content: question }],
        tools: [
          {
            name: 'get_weather',
            description: weather.description,
            input_schema: { type: 'object', properties: location, required: ['location'] },
          },
        ],
      },
    },
  ],
  [
    'contents of Gemini',
    {
      ...{ format: 'gemini', model: 'gemini-2.5-flash', tokens: 11 },
      body: { contents: [{ parts: [{ text: 'The quick brown fox jumps over the lazy dog.' }] }] },
    },
  ],
]

it('examples of the vendors count as they say', () => {
  const errors = documented.map(([, { body, format, model, tokens }]) =>
    Math.abs(fairTokens(body, format, model) / tokens - 1),
  )
  report('documented examples', errors)
  const { median, p95 } = figuresOf(errors)
  expect(median).toBeLessThan(0.05)
  expect(p95).toBeLessThan(0.15)
})

type Counted = { vendor: string; model: string; text: string; tokens: number }

const dialects: Dialect[] = [openaiChat, openaiResponses, anthropic, gemini]

/** A recorded answer all of whose output is text that it shows, and that the vendor counted. */
const countedIn = (name: string, answer: ChatAnswer): Counted[] => {
  const usage = answer.reportedUsage?.usage
  const parts = answer.choices.flatMap(each => each.parts)
  if (typeof usage !== 'object' || parts.length === 0) return []
  const isHidden = usage.reasoning > 0
  const shown = isHidden ? parts.filter(each => each.type !== 'thinking') : parts
  const texts = shown.map(each =>
    each.type === 'text' || each.type === 'thinking' ? each.text : undefined,
  )
  if (texts.some(each => typeof each !== 'string') || usage.output < 60) return []
  const vendor = name.split('/')[0]!
  return [{ vendor, model: answer.model, text: texts.join(''), tokens: usage.output }]
}

const readWhole = (name: string): Counted[] => {
  for (const dialect of dialects)
    try {
      const body = recorded(name)
      if (!dialect.readAnswer(Buffer.from(body)).ok) continue
      return countedIn(name, dialect.decodeAnswer(JSON.parse(body)))
    } catch {}
  return []
}

const readStream = (name: string): Counted[] => {
  const lines = recordedLines(name)
  for (const dialect of dialects)
    try {
      const event = (line: string) => JSON.parse(line).type
      const frames = lines.map(each => `event: ${event(each)}\ndata: ${each}\n\n`).join('')
      const ending = dialect === openaiChat ? 'data: [DONE]\n\n' : ''
      const { last, answer } = decodeStream(dialect, [Buffer.from(frames + ending)])
      const counted = last === 'end' ? countedIn(name, answer) : []
      if (counted.length > 0) return counted
    } catch {}
  return []
}

/** Its text was shortened to a few words after the vendor had counted it. */
const cut: ReadonlySet<string> = new Set(['open-responses/lmstudio-basic.1.json'])

const medianOf = (values: readonly number[]) => figuresOf(values).median

itWithRecordings(
  'what vendors counted of their recorded answers (left out where ../shared/fixtures is absent)',
  () => {
    const counted = [
      ...recordings('.json')
        .filter(each => !cut.has(each))
        .flatMap(readWhole),
      ...recordings('.chunks.txt').flatMap(readStream),
    ]
    expect(areRecordings && counted.length).toBeGreaterThan(10)
    const ratios = counted.map(({ text, tokens }) => tokens / tokenize(text))
    const raw = counted.map(({ model }, at) => Math.abs(usualRatioOf(model) / ratios[at]! - 1))
    // Each is calibrated by the vendor's other recordings, never by itself.
    const calibrated = counted.flatMap(({ vendor }, at) => {
      const others = ratios.filter((_, other) => other !== at && counted[other]!.vendor === vendor)
      return others.length === 0 ? [] : [Math.abs(medianOf(others) / ratios[at]! - 1)]
    })
    report('recorded, by the usual ratio', raw)
    report('recorded, calibrated', calibrated)
    for (const errors of [raw, calibrated]) {
      expect(figuresOf(errors).median).toBeLessThan(0.05)
      expect(figuresOf(errors).p95).toBeLessThan(0.15)
    }
  },
)

const root = join(import.meta.dirname, '../../../..')
const filesIn = (folder: string, ending: string): string[] =>
  (readdirSync(join(root, folder), { recursive: true }) as string[])
    .filter(each => each.endsWith(ending))
    .map(each => readFileSync(join(root, folder, each), 'utf8'))
const localesIn = (language: string): string[] =>
  filesIn(`apps/console/src/locales/${language}`, '.json').map(each =>
    Object.values(JSON.parse(each)).map(String).join('\n'),
  )
const russian = `Когда пришёл последний паром, в гавани было тихо. Двое мужчин несли по трапу ящики с апельсинами, а мальчик считал их вслух и сбивался каждый раз, когда кричала чайка. Никто не спешил. К девяти часам кафе закрылись, на пирсе зажглись фонари, и остался только шум воды между лодками.

Если вы хотите приехать сюда, выбирайте октябрь: комнаты дешевле, море ещё тёплое, а старые улицы почти пусты. Расписание парома меняется в первую неделю месяца, поэтому лучше позвонить заранее.`

/** The tokenizer is that of OpenAI's models, so its count is the vendor's. */
const corpora: [string, string[]][] = [
  ['English', filesIn('docs', '.md')],
  ['Chinese, simplified', localesIn('zh_CN')],
  ['Chinese, traditional', localesIn('zh_HK')],
  ['Japanese', localesIn('ja_JP')],
  ['Russian', [russian]],
  ['code', filesIn('packages/dialects/src', '.ts')],
  ['JSON', filesIn('packages/providers/src', '.json')],
]

describe.each(corpora)('%s', (kind, files) => {
  const texts = files.filter(each => each.length > 400)

  it('counted by scripts is near the tokenizer', () => {
    const errors = texts.map(each => Math.abs(scriptTokens(each) / tokenize(each) - 1))
    report(`${kind}, by scripts`, errors)
    expect(figuresOf(errors).median).toBeLessThan(0.12)
    expect(figuresOf(errors).p95).toBeLessThan(0.2)
  })

  it('is counted as the tokenizer does, escaped or not', () => {
    for (const text of texts.slice(0, 20)) {
      const body = JSON.stringify({ messages: [{ role: 'user', content: text }] })
      const escaped = body.replace(
        /[^\0-\x7f]/g,
        each => `\\u${each.charCodeAt(0).toString(16).padStart(4, '0')}`,
      )
      const tokens = [body, escaped].map(
        each =>
          countPrompt(Buffer.from(each), { format: 'openai-chat', model: 'm' }, tokenize)
            .textTokens,
      )
      expect(tokens[0]).toBe(tokens[1])
      expect(Math.abs(tokens[0]! / tokenize(text) - 1)).toBeLessThan(0.02)
    }
  })
})
