import type { Feature } from '../cell.ts'
import { model, type NeutralResponse, type Result, results, user } from '../neutral.ts'
import { clock, hello, pngBase64, timeCall, weather, weatherCall } from './samples.ts'

const group = 'Tools'
const clientCall = [user('Weather in Paris, time in Tokyo?')]
const request = { turns: clientCall, tools: [weather, clock] }
const calls: NeutralResponse = { pieces: [weatherCall], finish: 'tools' }
const sunny: Result = {
  result: 'call_Paris01',
  toolName: 'get_weather',
  pieces: [{ text: 'Sunny, 21 °C' }],
}

const choosing = (name: string, title: string, choice: Feature['request']['choice']): Feature => ({
  name: `choice-${name}`,
  title,
  group,
  request: { ...request, choice },
  response: name === 'none' ? hello : calls,
})

export const tools: readonly Feature[] = [
  { name: 'tool', title: 'A tool is called', group, request, response: calls },
  {
    name: 'tool-after-text',
    title: 'Words, and then a call',
    group,
    request,
    response: { pieces: [{ text: 'Let me look.' }, weatherCall], finish: 'tools' },
  },
  {
    name: 'tools-parallel',
    title: 'Several calls in one answer',
    group,
    request: { ...request, parallel: true },
    response: { pieces: [weatherCall, timeCall], finish: 'tools' },
  },
  {
    name: 'tools-one-by-one',
    title: 'At most one call in an answer',
    group,
    request: { ...request, parallel: false },
    response: calls,
  },
  {
    name: 'tool-pieces',
    title: 'The arguments of calls come in pieces',
    group,
    request,
    response: { pieces: [weatherCall, timeCall], finish: 'tools' },
    modes: ['stream'],
  },
  {
    name: 'tool-without-input',
    title: 'A call without arguments',
    group,
    request: {
      turns: clientCall,
      tools: [
        { name: 'now', description: 'The time.', schema: { type: 'object', properties: {} } },
      ],
    },
    response: { pieces: [{ call: 'now', id: 'call_Now03', input: {} }], finish: 'tools' },
  },
  {
    name: 'tool-strict',
    title: 'A tool whose arguments must fit its schema',
    group,
    request: { turns: clientCall, tools: [{ ...weather, strict: true }] },
    response: calls,
  },
  choosing('none', 'No tool may be called', 'none'),
  choosing('auto', 'The model chooses', 'auto'),
  choosing('required', 'Some tool must be called', 'required'),
  choosing('named', 'This tool must be called', { tool: 'get_weather' }),
  {
    name: 'tool-result',
    title: 'What the tools said, and the calls before it',
    group,
    request: {
      ...request,
      turns: [
        ...clientCall,
        model('Let me look.', weatherCall, timeCall),
        results(sunny, {
          result: 'call_Tokyo02',
          toolName: 'get_time',
          pieces: [{ text: '12:00' }],
        }),
      ],
    },
    response: hello,
  },
  {
    name: 'tool-goes-back',
    title: 'A call that is sent back as it came, with its result',
    group,
    request,
    response: calls,
    next: { turns: [results(sunny)], response: hello },
  },
  {
    name: 'tool-result-image',
    title: 'A tool that shows an image',
    group,
    request: {
      ...request,
      turns: [
        ...clientCall,
        model(weatherCall),
        results({
          ...sunny,
          pieces: [{ text: 'The sky:' }, { image: { mime: 'image/png', data: pngBase64 } }],
        }),
      ],
    },
    response: hello,
  },
  {
    name: 'tool-result-error',
    title: 'A tool that failed',
    group,
    request: {
      ...request,
      turns: [
        ...clientCall,
        model(weatherCall),
        results({ ...sunny, pieces: [{ text: 'No such place.' }], failed: true }),
      ],
    },
    response: hello,
  },
  {
    name: 'server-tool',
    title: 'A tool that the vendor runs itself',
    group,
    request: { turns: clientCall, tools: [{ server: 'web-search' }] },
    response: hello,
  },
  {
    name: 'server-tool-block',
    title: 'What such a tool did, told and sent back',
    group,
    request: { turns: clientCall, tools: [{ server: 'web-search' }] },
    response: { pieces: [{ server: 'web-search' }, { text: 'It rains.' }], finish: 'stop' },
    next: { turns: [user('Still?')], response: hello },
  },
]
