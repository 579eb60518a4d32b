import type { Exception } from '../cell.ts'
import { pdf, pngBase64, weather, weatherCall } from '../features/samples.ts'
import { dialects, user } from '../neutral.ts'
import { answers, unsupported } from './unsupported.ts'

const docs = 'https://platform.openai.com/docs'
const create = `${docs}/api-reference/chat/create`
const others = dialects.filter(each => each !== 'openai-chat')

/** Features that Chat Completions cannot express. */
const lost: readonly Exception[] = [
  {
    features: ['top-k'],
    callers: others,
    upstreams: ['openai-chat'],
    how: 'note',
    pattern: /top_?k/i,
    upstreamRequest: { topK: undefined },
    why: 'The field is not in the reference; a server that knows it is told by callers of this dialect.',
    source: create,
  },
  {
    features: ['budget'],
    callers: ['anthropic', 'gemini'],
    upstreams: ['openai-chat'],
    how: 'note',
    pattern: /reasoning\.budget/,
    upstreamRequest: { budget: undefined, effort: 'low' },
    why: 'Reasoning is measured in words only: the budget becomes the nearest one.',
    source: `${docs}/guides/reasoning`,
  },
  {
    features: ['thoughts'],
    callers: others,
    upstreams: ['openai-chat'],
    how: 'note',
    pattern: /reasoning\.summary/,
    upstreamRequest: { thoughtsShown: undefined },
    why: 'Thoughts cannot be asked for here: servers that tell them tell them always.',
    source: create,
  },
  {
    features: ['file-url'],
    callers: others,
    upstreams: ['openai-chat'],
    how: 'otherwise',
    upstreamRequest: {
      turns: [
        user({ file: { mime: 'application/pdf', data: pdf, name: 'paper.pdf' } }, 'Sum it up.'),
      ],
    },
    why: 'A file is its bytes or the id of an upload: the gateway fetches it.',
    source: create,
  },
  {
    features: ['cache-marks'],
    callers: others,
    upstreams: ['openai-chat'],
    how: 'note',
    pattern: /cache_?control/i,
    upstreamRequest: {
      turns: [{ from: 'user', pieces: [{ text: 'A long story.Sum it up.' }] }],
      tools: [weather],
    },
    why: 'The vendor remembers prompts by itself, without marks.',
    source: `${docs}/guides/prompt-caching`,
  },
  ...unsupported('openai-chat', {
    features: ['tool-result-error'],
    pattern: /is_error|tool-result\.failed/,
    upstreamRequest: {
      turns: [
        { from: 'user', pieces: [{ text: 'Weather in Paris, time in Tokyo?' }] },
        { from: 'model', pieces: [weatherCall] },
        {
          from: 'tool',
          pieces: [
            {
              result: 'call_Paris01',
              toolName: 'get_weather',
              pieces: [{ text: 'No such place.' }],
            },
          ],
        },
      ],
    },
    why: 'A message of a tool has words, and no mark that it failed.',
    source: create,
  }),
  {
    features: ['server-tool', 'server-tool-block'],
    callers: others,
    upstreams: ['openai-chat'],
    how: 'note',
    pattern: /tools\.|web_?search/i,
    upstreamRequest: { tools: undefined },
    upstreamResponse: { pieces: [{ text: 'It rains.' }] },
    why: 'A vendor’s own tool is a word of its own dialect.',
    source: `${docs}/guides/tools-web-search`,
  },
  {
    features: ['server-tool', 'server-tool-block'],
    callers: ['openai-chat'],
    upstreams: others,
    how: 'note',
    pattern: /web_search_options/,
    upstreamRequest: { tools: undefined },
    upstreamResponse: { pieces: [{ text: 'It rains.' }] },
    why: 'A vendor’s own tool is a word of its own dialect.',
    source: `${docs}/guides/tools-web-search`,
  },
]

/** Features that Chat Completions encodes in another way. */
const otherwise: readonly Exception[] = [
  answers('openai-chat', {
    features: ['stop-sequence'],
    upstreamResponse: { finish: 'stop', sequence: undefined },
    why: '`stop` is the one word for a whole answer and one that a sequence ended.',
    source: `${docs}/api-reference/chat/object`,
  }),
  {
    features: ['stop-sequence'],
    callers: ['openai-chat'],
    upstreams: ['anthropic'],
    how: 'note',
    pattern: /stop_sequence/,
    received: { finish: 'stop', sequence: undefined },
    why: 'The sequence that was met cannot be told.',
    source: `${docs}/api-reference/chat/object`,
  },
  answers('openai-chat', {
    features: ['server-tool-block'],
    upstreamResponse: { pieces: [{ text: 'It rains.' }] },
    why: 'What a search found is told as sources of the words, see “Sources”.',
    source: `${docs}/guides/tools-web-search?api-mode=chat`,
  }),
  {
    features: ['thoughts'],
    callers: ['openai-chat'],
    how: 'otherwise',
    upstreamRequest: { thoughtsShown: undefined },
    why: 'There is no word for it: servers that tell thoughts tell them always.',
    source: create,
  },
  {
    features: ['adaptive'],
    callers: others,
    upstreams: ['openai-chat'],
    how: 'otherwise',
    upstreamRequest: { adaptive: undefined },
    why: 'Models of the vendor think as much as they find right unless they are told otherwise.',
    source: `${docs}/guides/reasoning`,
  },
  {
    features: ['tool-result-image'],
    callers: others,
    upstreams: ['openai-chat'],
    how: 'otherwise',
    upstreamRequest: {
      turns: [
        { from: 'user', pieces: [{ text: 'Weather in Paris, time in Tokyo?' }] },
        { from: 'model', pieces: [weatherCall] },
        {
          from: 'tool',
          pieces: [
            { result: 'call_Paris01', toolName: 'get_weather', pieces: [{ text: 'The sky:' }] },
          ],
        },
        { from: 'user', pieces: [{ image: { mime: 'image/png', data: pngBase64 } }] },
      ],
    },
    why: 'A message of a tool has words only: the image follows as the user’s.',
    source: create,
  },
  {
    features: ['count'],
    callers: ['openai-chat'],
    how: 'otherwise',
    why: 'The vendor counts a prompt at the address of Responses, and its client asks there.',
    source: `${docs}/api-reference/responses/input-tokens`,
  },
  {
    features: ['count'],
    upstreams: ['openai-chat'],
    how: 'otherwise',
    received: { usage: undefined },
    why: 'Servers of this dialect count nothing before the chat: the gateway estimates.',
    source: create,
  },
]

export const openaiChatExceptions: readonly Exception[] = [...lost, ...otherwise]
