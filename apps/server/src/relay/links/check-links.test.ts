import { Fault } from '@hub/contract'
import { providerOf } from '@hub/providers'
import { expect, it } from 'vitest'
import { checkLinks, checkLinksOf } from './check-links.ts'
import { checkMessage } from './check-message.ts'

const channel = (baseUrl = '', buckets?: string) => ({
  ...{ provider: providerOf(25)!, baseUrl },
  options: (buckets === undefined ? {} : { links: { buckets } }) as Record<
    string,
    Record<string, unknown>
  >,
})

const codeOf = (work: () => void): string => {
  try {
    work()
    return 'passes'
  } catch (error) {
    return error instanceof Fault ? error.code : String(error)
  }
}
const checkBody = (request: unknown) =>
  codeOf(() => checkLinks(channel(), { body: Buffer.from(JSON.stringify(request)) }))
const check = (request: unknown, at = channel()) => codeOf(() => checkLinksOf(at, request))

it.each<[string, object, string]>([
  ['a link', { image_url: 'https://files.example/a.png' }, 'passes'],
  [
    'plain base64',
    { image: '/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAAgGBgcGBQgHBwcJCQgKDBQNDAsLDBkS' },
    'passes',
  ],
  ['a data URL', { image: 'data:image/png;base64,AAAA' }, 'passes'],
  ['a word', { audio: 'on', profile: 'high', video: 'pro' }, 'passes'],
  ['an empty field', { callback_url: '' }, 'passes'],
  ['links in a list', { image_urls: ['https://files.example/a', 'gs://b/a'] }, 'stored.unknown'],
  ['a long path', { url: `files/${'a'.repeat(80)}` }, 'stored.unknown'],
  ['storage of a task', { instances: [{ image: { gcsUri: 'gs://b/a' } }] }, 'stored.unknown'],
  ['a file of the machine', { image: 'file:///etc/passwd' }, 'request.link'],
  ['a path', { first_frame_image: 'cat.png', image_url: 'cat.png' }, 'request.link'],
  ['a tab in a scheme', { url: 'g\ts://bucket/a' }, 'request.link'],
  [
    'a backslash',
    { url: 'https:\\\\generativelanguage.googleapis.com\\v1beta\\files\\a' },
    'stored.unknown',
  ],
  [
    'a user before the host',
    { url: 'https://a@api.openai.com/v1/files/a/content' },
    'stored.unknown',
  ],
  ['a name behind the host', { url: 'https://api.openai.com.files.example/a' }, 'passes'],
  ['a field of another name', { subject: [{ reference: 'gs://b/a' }] }, 'stored.unknown'],
  ['the last image of a task', { image_tail: 'files/abc' }, 'stored.unknown'],
  ['a text', { text: 'gs://bucket/a', prompt: 'file:///etc/passwd' }, 'passes'],
  [
    'media of a tool’s result',
    { toolResult: { content: [{ image: { source: { s3Location: { uri: 's3://b/a' } } } }] } },
    'stored.unknown',
  ],
])('%s of a request is checked', (_name, request, code) => {
  expect(check(request)).toBe(code)
})

it('a channel lets pass the buckets that it lists', () => {
  const listed = channel('', 'one, two\nthree')
  for (const bucket of ['one', 'two', 'three'])
    expect(check({ fileUri: `gs://${bucket}/a` }, listed)).toBe('passes')
  for (const uri of ['gs://four/a', 'gs://on/a', 'gs://One/a', 'gs:///a', 'gs://one,/a'])
    expect(check({ fileUri: uri }, listed)).toBe('stored.unknown')
})

it('the address of the channel names objects', () => {
  const own = channel('http://10.0.0.1:8000/v1')
  expect(check({ url: 'http://10.0.0.1:8000/files/a' }, own)).toBe('stored.unknown')
  expect(check({ url: 'http://10.0.0.1:9000/files/a' }, own)).toBe('passes')
})

it('messages of a session are checked where they may have a link', () => {
  const message = (value: unknown) =>
    codeOf(() => checkMessage(channel(), 'openai', Buffer.from(JSON.stringify(value))))
  const turns = (fileUri: string) => ({
    clientContent: { turns: [{ role: 'user', parts: [{ fileData: { fileUri } }] }] },
  })
  expect(message(turns('gs://bucket/a'))).toBe('stored.unknown')
  expect(message(turns('https://files.example/a'))).toBe('passes')
  const item = (image_url: string) => ({
    type: 'conversation.item.create',
    item: { type: 'message', role: 'user', content: [{ type: 'input_image', image_url }] },
  })
  expect(message(item('file:///etc/passwd'))).toBe('request.link')
  expect(message(item('data:image/png;base64,AAAA'))).toBe('passes')
  expect(message({ type: 'input_audio_buffer.append', audio: 'AAAAurl' })).toBe('passes')
  expect(codeOf(() => checkMessage(channel(), 'openai', Buffer.from('no JSON: "url"')))).toBe(
    'passes',
  )
})

it.each<[string, object, string]>([
  ['metadata', { metadata: { url: 'gs://bucket/a' } }, 'passes'],
  ['the response of a function', { functionResponse: { response: { url: 'gs://b/a' } } }, 'passes'],
  [
    'the result of a tool',
    { toolResult: { content: [{ json: { url: 'gs://b/a' } }, { text: 'a' }] } },
    'passes',
  ],
  ['the input of a tool', { type: 'tool_use', input: { url: 'gs://b/a' } }, 'passes'],
  ['the schema of a tool', { parameters: { url: { default: 'x' }, image: 'x' } }, 'passes'],
  ['a cited page', { type: 'url_citation', url: 'https://files.example/a' }, 'passes'],
  ['a link that claims to be cited', { type: 'file_citation', url: 'gs://b/a' }, 'stored.unknown'],
  [
    'a list that claims to be the input of a tool',
    { type: 'tool_use', input: [{ content: [{ image_url: 'gs://b/a' }] }] },
    'stored.unknown',
  ],
])('%s of a body is checked', (_name, request, code) => {
  expect(checkBody(request)).toBe(code)
})
