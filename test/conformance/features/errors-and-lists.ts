import type { Feature } from '../cell.ts'
import { type Refusal, user } from '../neutral.ts'
import { hello } from './samples.ts'

const turns = [user('Say hello.')]

/** Without `received` the caller gets the vendor's own message. */
const refusing = (
  name: string,
  title: string,
  refusal: Refusal,
  received?: Pick<Refusal, 'kind'>,
): Feature => ({
  name: `error-${name}`,
  title,
  group: 'Errors',
  request: { turns },
  response: { refusal },
  ...(received ? { received: { refusal: { ...refusal, message: '', ...received } } } : {}),
})

const group = 'Around the chat'

export const errorsAndLists: readonly Feature[] = [
  refusing(
    'busy',
    'The vendor is busy: 429, and when to come again',
    { kind: 'busy', status: 429, message: 'Too many requests, slow down.', retryAfter: 7 },
    { kind: 'busy' },
  ),
  refusing('invalid', 'The vendor does not take the request: 400, in its own words', {
    kind: 'invalid',
    status: 400,
    message: 'The picture is larger than 5 MB.',
  }),
  refusing(
    'broken',
    'The vendor fails: 500',
    { kind: 'broken', status: 500, message: 'Something went wrong inside.' },
    { kind: 'broken' },
  ),
  refusing(
    'credential',
    'The vendor refuses the operator’s key: 401, which is not the caller’s fault',
    { kind: 'unauthorized', status: 401, message: 'Incorrect API key provided.' },
    { kind: 'broken' },
  ),
  {
    ...refusing(
      'in-stream',
      'A stream that breaks after content',
      { kind: 'broken', status: 500, message: 'Overloaded.' },
      { kind: 'broken' },
    ),
    response: {
      pieces: hello.pieces,
      refusal: { kind: 'broken', status: 500, message: 'Overloaded.' },
    },
    modes: ['stream'],
  },
  {
    name: 'error-key',
    title: 'The caller’s own key is wrong: 401',
    group: 'Errors',
    request: { turns },
    response: { refusal: { kind: 'unauthorized', status: 401, message: '' } },
    operation: 'withWrongKey',
  },
  {
    name: 'error-model',
    title: 'Nobody has the model: 404',
    group: 'Errors',
    request: { turns },
    response: { refusal: { kind: 'not-found', status: 404, message: '' } },
    operation: 'withUnknownModel',
  },
  {
    name: 'request-id',
    title: 'The id of the call, by which the log knows it',
    group,
    request: { turns },
    response: hello,
  },
  {
    name: 'models',
    title: 'The list of models',
    group,
    request: { turns },
    response: {},
    modes: ['whole'],
    operation: 'models',
  },
  {
    name: 'count',
    title: 'A prompt’s tokens',
    group,
    request: { system: ['Be brief.'], turns },
    response: { usage: { input: 21, output: 0 } },
    modes: ['whole'],
    operation: 'count',
  },
  {
    name: 'unknown-fields',
    title: 'Fields that the gateway does not know',
    group,
    request: { turns, unknown: { brand_new_field: { deep: [1, 'two', null] } } },
    response: { ...hello, unknown: { brand_new_answer: { deep: [3] } } },
  },
  {
    name: 'headers',
    title: 'Headers of the caller’s program',
    group,
    request: { turns, headers: { 'x-stainless-brand-new': 'yes, really' } },
    response: hello,
  },
  {
    name: 'ping',
    title: 'A sign of life while the vendor is silent',
    group,
    request: { turns },
    response: hello,
    modes: ['stream'],
    operation: 'ping',
  },
]
