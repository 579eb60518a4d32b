import type { Feature } from '../cell.ts'
import { model, type Result, results, type Says, user } from '../facts.ts'
import { clock, hello, inParis, inTokyo, photo, weather } from './samples.ts'

const group = 'Tools'
const ask = [user('Weather in Paris, time in Tokyo?')]
const asks = { turns: ask, tools: [weather, clock] }
const calls: Says = { pieces: [inParis], finish: 'tools' }
const sunny: Result = {
  result: 'call_Paris01',
  of: 'get_weather',
  pieces: [{ text: 'Sunny, 21 °C' }],
}

const choosing = (name: string, title: string, choice: Feature['asks']['choice']): Feature => ({
  name: `choice-${name}`,
  title,
  group,
  asks: { ...asks, choice },
  says: name === 'none' ? hello : calls,
})

export const tools: readonly Feature[] = [
  { name: 'tool', title: 'A tool is called', group, asks, says: calls },
  {
    name: 'tool-after-text',
    title: 'Words, and then a call',
    group,
    asks,
    says: { pieces: [{ text: 'Let me look.' }, inParis], finish: 'tools' },
  },
  {
    name: 'tools-parallel',
    title: 'Several calls in one answer',
    group,
    asks: { ...asks, parallel: true },
    says: { pieces: [inParis, inTokyo], finish: 'tools' },
  },
  {
    name: 'tools-one-by-one',
    title: 'At most one call in an answer',
    group,
    asks: { ...asks, parallel: false },
    says: calls,
  },
  {
    name: 'tool-pieces',
    title: 'The arguments of calls come in pieces',
    group,
    asks,
    says: { pieces: [inParis, inTokyo], finish: 'tools' },
    modes: ['stream'],
  },
  {
    name: 'tool-without-input',
    title: 'A call without arguments',
    group,
    asks: {
      turns: ask,
      tools: [{ name: 'now', about: 'The time.', schema: { type: 'object', properties: {} } }],
    },
    says: { pieces: [{ call: 'now', id: 'call_Now03', input: {} }], finish: 'tools' },
  },
  {
    name: 'tool-strict',
    title: 'A tool whose arguments must fit its schema',
    group,
    asks: { turns: ask, tools: [{ ...weather, strict: true }] },
    says: calls,
  },
  choosing('none', 'No tool may be called', 'none'),
  choosing('auto', 'The model chooses', 'auto'),
  choosing('required', 'Some tool must be called', 'required'),
  choosing('named', 'This tool must be called', { tool: 'get_weather' }),
  {
    name: 'tool-result',
    title: 'What the tools said, and the calls before it',
    group,
    asks: {
      ...asks,
      turns: [
        ...ask,
        model('Let me look.', inParis, inTokyo),
        results(sunny, { result: 'call_Tokyo02', of: 'get_time', pieces: [{ text: '12:00' }] }),
      ],
    },
    says: hello,
  },
  {
    name: 'tool-goes-back',
    title: 'A call that is sent back as it came, with its result',
    group,
    asks,
    says: calls,
    next: { turns: [results(sunny)], says: hello },
  },
  {
    name: 'tool-result-image',
    title: 'A tool that shows an image',
    group,
    asks: {
      ...asks,
      turns: [
        ...ask,
        model(inParis),
        results({
          ...sunny,
          pieces: [{ text: 'The sky:' }, { image: { mime: 'image/png', data: photo } }],
        }),
      ],
    },
    says: hello,
  },
  {
    name: 'tool-result-error',
    title: 'A tool that failed',
    group,
    asks: {
      ...asks,
      turns: [
        ...ask,
        model(inParis),
        results({ ...sunny, pieces: [{ text: 'No such place.' }], failed: true }),
      ],
    },
    says: hello,
  },
  {
    name: 'server-tool',
    title: 'A tool that the vendor runs itself',
    group,
    asks: { turns: ask, tools: [{ server: 'web-search' }] },
    says: hello,
  },
  {
    name: 'server-tool-block',
    title: 'What such a tool did, told and sent back',
    group,
    asks: { turns: ask, tools: [{ server: 'web-search' }] },
    says: { pieces: [{ server: 'web-search' }, { text: 'It rains.' }], finish: 'stop' },
    next: { turns: [user('Still?')], says: hello },
  },
]
