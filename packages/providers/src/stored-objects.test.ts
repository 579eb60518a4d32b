import { expect, it } from 'vitest'
import { batchApiOf } from './batch-apis.ts'
import { decodeObject, readObject } from './stored-objects.ts'
import { resourceKind, storageSwitchOf } from './stored-resources.ts'

const kinds = [
  'files',
  'uploads',
  'batches',
  'vector-stores',
  'conversations',
  'message-batches',
  'gemini-files',
  'gemini-uploads',
  'cached-contents',
] as const

const named = kinds.filter(each => resourceKind(each).namePrefix !== undefined)
const others = kinds.filter(each => !named.includes(each))

it('each kind has the switch and the fields that its vendor documents', () => {
  const switches = kinds.map(each => [each, storageSwitchOf(each).replace('storage.', '')])
  expect(Object.fromEntries(switches)).toEqual({
    ...{ files: 'files', uploads: 'files', batches: 'files', 'message-batches': 'files' },
    ...{ 'vector-stores': 'vector_stores', conversations: 'conversations' },
    ...{ 'gemini-files': 'files', 'gemini-uploads': 'files', 'cached-contents': 'caches' },
  })
  expect(kinds.filter(each => resourceKind(each).expires)).toEqual([
    ...['files', 'uploads', 'gemini-files', 'cached-contents'],
  ])
  expect(kinds.filter(each => resourceKind(each).isFile)).toEqual(['files', 'gemini-files'])
  expect(named).toEqual(['gemini-files', 'cached-contents'])
  expect(resourceKind('a kind of an earlier release')).toEqual({})
})

it.each(others)('an object of %s is read with its fields, by its id', kind => {
  const object = { id: 'obj_1', bytes: 5, name: 'files/other' }
  expect(readObject(kind, Buffer.from(JSON.stringify(object)))).toEqual(object)
})

it.each(named)('an object of %s is read by its name, with its size and its end', kind => {
  const name = `${resourceKind(kind).namePrefix}a-1`
  const fields = { name, sizeBytes: '7', expirationTime: '2026-11-28T00:00:00Z' }
  const id = { id: name, bytes: 7, expires_at: Date.parse('2026-11-28') / 1_000 }
  expect(decodeObject(kind, { ...fields, id: 'obj_of_a_stranger' })).toEqual({ ...fields, ...id })
})

/** A name as long as one of the kind. */
const otherCollection = (kind: string) => `${resourceKind(kind).namePrefix}a`.replace(/^./, 'x')

it.each([
  ...others.flatMap(kind =>
    [{}, { id: 1 }, { id: '' }, { id: 'a/b' }, { id: 'a\0b' }, { id: `a${'b'.repeat(200)}` }].map(
      value => [kind, value] as const,
    ),
  ),
  ...named.flatMap(kind =>
    [{}, { id: 'obj_1' }, { name: 1 }, { name: 'a' }, { name: 'files/' }, { name: 'files/../a' }]
      .concat([{ name: 'cachedContents/a\0b' }, { name: otherCollection(kind) }])
      .map(value => [kind, value] as const),
  ),
  ...kinds.flatMap(kind => [null, 'text', 1, []].map(value => [kind, value] as const)),
])('no object of %s is read from %j', (kind, value) => {
  expect(decodeObject(kind, value)).toBeUndefined()
  expect(readObject(kind, Buffer.from(JSON.stringify(value)))).toBeUndefined()
  expect(readObject(kind, Buffer.from('{'))).toBeUndefined()
})

it('the sum of a batch is that of its vendor where the vendor names one', () => {
  const batch = { id: 'batch_1', usage: { input_tokens: 3, output_tokens: 2 } }
  expect(batchApiOf('batches').readTotal(batch)).toMatchObject({ input: 3, output: 2 })
  expect(batchApiOf('batches').readTotal({ id: 'batch_1' })).toBeUndefined()
  expect(batchApiOf('message-batches').readTotal(batch)).toBeUndefined()
})
