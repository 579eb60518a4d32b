import type { Feature } from '../cell.ts'
import { user } from '../facts.ts'
import { hello, inParis, weather } from './samples.ts'

const turns = [user('Say hello.')]
const words = hello.pieces ?? []

const asking = (name: string, title: string, more: Partial<Feature['asks']>): Feature => ({
  name,
  title,
  group: 'Sampling and who asks',
  asks: { turns, ...more },
  says: hello,
})

const stopping = (name: string, title: string, says: Feature['says']): Feature => ({
  name: `stop-${name}`,
  title,
  group: 'Why it stops',
  asks: { turns, tools: name === 'tool' ? [weather] : undefined },
  says,
})

const counting = (name: string, title: string, usage: Feature['says']['usage']): Feature => ({
  name: `usage${name}`,
  title,
  group: 'What it used',
  asks: { turns },
  says: { pieces: words, finish: 'stop', usage },
})

export const limits: readonly Feature[] = [
  asking('output-max', 'The longest answer', { outputMax: 77 }),
  asking('temperature', 'Temperature', { temperature: 0.5 }),
  asking('top-p', 'top_p', { topP: 0.9 }),
  asking('top-k', 'top_k', { topK: 40 }),
  asking('penalties', 'Penalties for repetition', { presencePenalty: 0.5, frequencyPenalty: 0.25 }),
  asking('stop-sequences', 'Stop sequences', { stop: ['END', '\n\nHuman:'] }),
  asking('seed', 'A seed', { seed: 42 }),
  {
    ...asking('n', 'Several answers', { n: 2 }),
    says: { ...hello, others: [[{ text: 'Hi!' }]] },
  },
  {
    ...asking('logprobs', 'Log probabilities', { logprobs: 2 }),
    says: {
      ...hello,
      logprobs: [
        { token: 'Hello', logprob: -0.25 },
        { token: ' there!', logprob: -1.5 },
      ],
    },
  },
  asking('user', 'Who asks', { user: 'user-4711' }),
  asking('metadata', 'Notes of the caller on its request', { metadata: { project: 'blue' } }),
  {
    ...asking('tier', 'The service tier, asked for and told', { tier: 'priority' }),
    says: { ...hello, tier: 'priority' },
  },
  stopping('end', 'The answer is whole', { pieces: words, finish: 'stop' }),
  stopping('length', 'It is too long', { pieces: words, finish: 'length' }),
  stopping('tool', 'A tool is to be called', { pieces: [inParis], finish: 'tools' }),
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
    asks: {
      turns: [user({ text: 'A long story.', cache: '5m' }, 'Sum it up.')],
      tools: [{ ...weather, cache: '1h' }],
    },
    says: hello,
  },
]
