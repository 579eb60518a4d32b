import type { Feature } from '../cell.ts'
import { user } from '../neutral.ts'
import { hello, weather, weatherCall } from './samples.ts'

const turns = [user('Say hello.')]
const words = hello.pieces ?? []

const asking = (name: string, title: string, more: Partial<Feature['request']>): Feature => ({
  name,
  title,
  group: 'Sampling and who asks',
  request: { turns, ...more },
  response: hello,
})

const stopping = (name: string, title: string, response: Feature['response']): Feature => ({
  name: `stop-${name}`,
  title,
  group: 'Why it stops',
  request: { turns, tools: name === 'tool' ? [weather] : undefined },
  response,
})

const counting = (name: string, title: string, usage: Feature['response']['usage']): Feature => ({
  name: `usage${name}`,
  title,
  group: 'What it used',
  request: { turns },
  response: { pieces: words, finish: 'stop', usage },
})

export const limits: readonly Feature[] = [
  asking('output-max', 'The longest answer', { outputMax: 77 }),
  { ...asking('temperature', 'Temperature', { temperature: 0.5 }), model: 'older' },
  { ...asking('top-p', 'top_p', { topP: 0.9 }), model: 'older' },
  asking('top-k', 'top_k', { topK: 40 }),
  asking('penalties', 'Penalties for repetition', { presencePenalty: 0.5, frequencyPenalty: 0.25 }),
  asking('stop-sequences', 'Stop sequences', { stop: ['END', '\n\nHuman:'] }),
  asking('seed', 'A seed', { seed: 42 }),
  {
    ...asking('n', 'Several answers', { n: 2 }),
    response: { ...hello, others: [[{ text: 'Hi!' }]] },
  },
  {
    ...asking('logprobs', 'Log probabilities', { logprobs: 2 }),
    response: {
      ...hello,
      logprobs: [
        { token: 'Hello', logprob: -0.25 },
        { token: ' there!', logprob: -1.5 },
      ],
    },
    model: 'older',
  },
  asking('user', 'Who asks', { user: 'user-4711' }),
  asking('metadata', 'Notes of the caller on its request', { metadata: { project: 'blue' } }),
  {
    ...asking('tier', 'The service tier, asked for and told', { tier: 'priority' }),
    response: { ...hello, tier: 'priority' },
  },
  stopping('end', 'The answer is whole', { pieces: words, finish: 'stop' }),
  stopping('length', 'It is too long', { pieces: words, finish: 'length' }),
  stopping('tool', 'A tool is to be called', { pieces: [weatherCall], finish: 'tools' }),
  stopping('filter', 'A filter stopped it', { pieces: words, finish: 'filter' }),
  stopping('sequence', 'A stop sequence was met', {
    pieces: words,
    finish: 'sequence',
    sequence: 'END',
  }),
  counting('', 'Tokens in and out', { input: 1_234, output: 56 }),
  counting('-cached', 'Tokens from a cache', { input: 100, cacheRead: 900, output: 56 }),
  counting('-cache-write', 'Tokens written to a cache', {
    input: 100,
    cacheWrite: 800,
    cacheRead: 64,
    output: 9,
  }),
  counting('-reasoning', 'Tokens that were thought', { input: 100, output: 40, reasoning: 160 }),
  {
    name: 'cache-marks',
    title: '“Remember the prompt up to here”',
    group: 'What it used',
    request: {
      turns: [user({ text: 'A long story.', cache: '5m' }, 'Sum it up.')],
      tools: [{ ...weather, cache: '1h' }],
    },
    response: hello,
  },
]
