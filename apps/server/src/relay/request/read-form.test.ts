import { mkdtempSync, readdirSync, readlinkSync, rmSync, writeFileSync } from 'node:fs'
import type { IncomingHttpHeaders } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough, type Readable } from 'node:stream'
import fc from 'fast-check'
import { afterAll, expect, it } from 'vitest'
import type { App } from '../../core/app.ts'
import { makeAbort } from '../call-state.ts'
import type { RequestContext } from '../context.ts'
import { releaseBody } from './body.ts'
import type { Form } from './form.ts'
import { readForm } from './read-form.ts'
import { removeSpoolLeftovers } from './spool.ts'

const dataDir = mkdtempSync(join(tmpdir(), 'hub-forms-'))
afterAll(() => rmSync(dataDir, { recursive: true, force: true }))
const app = { env: { dataDir }, log: console, monotonic: () => 0 } as unknown as App
const sizeMax = 8 * 1024 * 1024

type Read = { form: Form; context: RequestContext }

const read = async (chunks: readonly Buffer[], headers: IncomingHttpHeaders): Promise<Read> => {
  const request = Object.assign(new PassThrough(), { headers })
  const context = { request, body: { bytes: 0 }, abort: makeAbort() } as unknown as RequestContext
  const reading = readForm(app, context, sizeMax)
  for (const each of chunks) request.write(each)
  request.end()
  return { form: await reading, context }
}

const plain = { 'content-type': 'multipart/form-data; boundary=b' }
const readText = (text: string, headers: IncomingHttpHeaders = plain) =>
  read([Buffer.from(text.replaceAll('\n', '\r\n'))], headers)

const collect = async (stream: Readable) => Buffer.concat(await stream.toArray())

/** Decodes a form with another parser than the gateway's. */
const decode = async (form: Form, edits = {}) => {
  const { type, size, open } = form.encode(edits)
  const body = await collect(open(() => {}))
  expect(body).toHaveLength(size)
  const decoded = await new Response(body, { headers: { 'content-type': type } }).formData()
  const parts = [...decoded].map(async ([name, value]) =>
    typeof value === 'string'
      ? [name, value]
      : [name, value.name, value.type, Buffer.from(await value.arrayBuffer()).toString('latin1')],
  )
  return Promise.all(parts)
}

/** Files without a name that this process still has open in the folder of uploads. */
const openSpools = (): string[] =>
  readdirSync('/proc/self/fd').flatMap(each => {
    try {
      const path = readlinkSync(`/proc/self/fd/${each}`)
      return path.startsWith(`${dataDir}/tmp`) ? [path] : []
    } catch {
      return []
    }
  })

const sample = async () => {
  const form = new FormData()
  form.append(
    'file',
    new File([Buffer.from([0, 1, 13, 10, 45, 45, 255])], 'größe "1"\r\n.mp3', {
      type: 'audio/mpeg',
    }),
  )
  form.append('model', 'mine')
  form.append('timestamp_granularities[]', 'word')
  form.append('timestamp_granularities[]', 'segment')
  form.append('prompt', 'two\r\nlines — ü')
  form.append('empty', '')
  form.append('second', new File([], 'empty.png', { type: 'image/png' }))
  const response = new Response(form)
  const type = response.headers.get('content-type')!
  return { body: Buffer.from(await response.arrayBuffer()), headers: { 'content-type': type } }
}

it('a form ends whose last chunk has the rest of a large file and the last field', async () => {
  const form = new FormData()
  form.append('file', new File([Buffer.alloc(200_000)], 'a.wav'))
  form.append('model', 'mine')
  const response = new Response(form)
  const headers = { 'content-type': response.headers.get('content-type')! }
  const request = Object.assign(new PassThrough(), { headers })
  const context = { request, body: { bytes: 0 }, abort: makeAbort() } as unknown as RequestContext
  const reading = readForm(app, context, sizeMax)
  request.write(Buffer.from(await response.arrayBuffer()))
  await expect.poll(() => request.readableLength).toBe(0)
  // A stream that has ended before its last chunk is read ends even while it is paused; one of a socket has not.
  request.end()
  await expect.poll(() => request.readableEnded, { timeout: 10_000 }).toBe(true)
  expect((await decode(await reading)).map(each => each[0])).toEqual(['file', 'model'])
  releaseBody(app, context)
})

it('a form arrives in any chunks, and is sent on with its order, names, types and bytes, and the mapped model', async () => {
  const { body, headers } = await sample()
  const cuts = fc.uniqueArray(fc.nat(body.length), { maxLength: 12 })
  await fc.assert(
    fc.asyncProperty(cuts, async places => {
      const ends = [...places.sort((a, b) => a - b), body.length]
      const chunks = ends.map((end, at) => body.subarray(ends[at - 1] ?? 0, end))
      const { form, context } = await read(chunks, headers)
      const expected = [
        ['file', 'größe "1"\r\n.mp3', 'audio/mpeg', '\x00\x01\r\n--\xff'],
        ['model', 'theirs'],
        ['timestamp_granularities[]', 'word'],
        ['timestamp_granularities[]', 'segment'],
        ['prompt', 'two\r\nlines — ü'],
        ['empty', ''],
        ['second', 'empty.png', 'image/png', ''],
      ]
      expect(await decode(form, { model: 'theirs' })).toEqual(expected)
      // A second attempt sends the same again.
      expect(await decode(form, { model: 'theirs' })).toEqual(expected)
      releaseBody(app, context)
    }),
    { numRuns: 60 },
  )
})

it('an unquoted name, curl’s escapes and a filename of requests are read and quoted again safely', async () => {
  const { form } = await readText(
    '--b\ncontent-disposition: form-data; name=model\n\nm\n' +
      '--b\nContent-Disposition: form-data; name="file"; filename="a\\"; name=\\"x.mp3"\n\nA\n' +
      '--b\ncontent-disposition: form-data; name="f2"; filename*=utf-8\'\'%E2%82%AC%22%0D%0Aevil%3A%201\n\nB\n--b--\nepilogue',
  )
  expect(form.field('model')).toBe('m')
  expect(form.files('file', 'f2').map(each => each.filename)).toEqual([
    'a"; name="x.mp3',
    '€"\r\nevil: 1',
  ])
  const body = (await collect(form.encode({}).open(() => {}))).toString()
  expect(body).toContain('name="file"; filename="a%22; name=%22x.mp3"\r\n')
  expect(body).toContain('filename="€%22%0D%0Aevil: 1"\r\n')
})

it('a field that is missing is appended, and one that is undefined removed', async () => {
  const { form } = await readText('--b\ncontent-disposition: form-data; name="n"\n\n1\n--b--')
  expect(await decode(form, { n: undefined, model: 'm' })).toEqual([['model', 'm']])
})

it('a retry with another boundary has the digest of the same form, and another form has not', async () => {
  const [first, same, other] = await Promise.all([sample(), sample(), sample()])
  const digestOf = async ({ body, headers }: Awaited<ReturnType<typeof sample>>) =>
    (await read([body], headers)).form.digest
  const digest = await digestOf(first)
  expect(await digestOf(same)).toBe(digest)
  other.body = Buffer.from(other.body.toString('latin1').replace('word', 'wort'), 'latin1')
  expect(await digestOf(other)).not.toBe(digest)
})

it('a large file moves to a private file without a name, which is gone with its request', async () => {
  const form = new FormData()
  const bytes = Buffer.alloc(3 * 1024 * 1024, 'abcdefg')
  form.append('file', new File([bytes], 'a.wav', { type: 'audio/wav' }))
  form.append('model', 'mine')
  const response = new Response(form)
  const type = response.headers.get('content-type')!
  const { form: spooled, context } = await read([Buffer.from(await response.arrayBuffer())], {
    'content-type': type,
  })
  expect(readdirSync(`${dataDir}/tmp`)).toEqual([])
  expect(openSpools()).toHaveLength(1)
  expect(context.body.bytes).toBeLessThan(1024 * 1024)
  const [file] = await decode(spooled, { model: 'theirs' })
  expect(file![3]).toBe(bytes.toString('latin1'))
  releaseBody(app, context)
  await expect.poll(openSpools).toEqual([])
  expect(context.body.bytes).toBe(0)
})

const head = (rest: string) => `--b\ncontent-disposition: form-data; ${rest}`

it.each([
  ['ends early', `${head('name="model"')}\n\nm`, 'request.form'],
  [
    'ends inside a file',
    `${head('name="f"; filename="a"')}\n\n${'x'.repeat(2_000_000)}`,
    'request.form',
  ],
  ['ends in a header', '--b\ncontent-dispo', 'request.form'],
  ['has a part without a name', `${head('filename="a"')}\n\nx\n--b--`, 'request.form'],
  ['has a part without a header', '--b\n\nx\n--b--', 'request.form'],
  ['has a part of nothing', '--b\n--b--', 'request.form'],
  ['has an open quote', `${head('name="a')}\n\nx\n--b--`, 'request.form'],
  ['names a part twice', `${head('name="a"; name="model"')}\n\nx\n--b--`, 'request.form'],
  [
    'nests a form',
    `${head('name="a"')}\ncontent-type: multipart/mixed; boundary=c\n\nx\n--b--`,
    'request.form',
  ],
  [
    'encodes a part',
    `${head('name="a"')}\ncontent-transfer-encoding: base64\n\neA==\n--b--`,
    'request.form',
  ],
  ['has too many parts', `${`${head('name="a"')}\n\nx\n`.repeat(201)}--b--`, 'request.too_large'],
  [
    'has endless fields',
    `${head('name="a"')}\n\n${'x'.repeat(5_000_000)}\n--b--`,
    'request.too_large',
  ],
  [
    'is too large',
    `${head('name="a"; filename="a"')}\n\n${'x'.repeat(9_000_000)}\n--b--`,
    'request.too_large',
  ],
])('a form that %s is refused, and leaves nothing', async (_, text, code) => {
  await expect(readText(text)).rejects.toMatchObject({ code })
  await expect.poll(openSpools).toEqual([])
})

it.each([
  ['no boundary', 'multipart/form-data', 'request.form'],
  ['an endless boundary', `multipart/form-data; boundary=${'x'.repeat(71)}`, 'request.form'],
  ['another type', 'application/json', 'request.media_type'],
])('a form with %s is refused', async (_, type, code) => {
  await expect(readText('--b--', { 'content-type': type })).rejects.toMatchObject({ code })
})

it('a caller who leaves in the middle of a file leaves nothing', async () => {
  const stream = Object.assign(new PassThrough(), { headers: plain })
  const context = {
    request: stream,
    body: { bytes: 0 },
    abort: makeAbort(),
  } as unknown as RequestContext
  const reading = readForm(app, context, sizeMax)
  stream.write(
    `${head('name="f"; filename="a"').replace('\n', '\r\n')}\r\n\r\n${'x'.repeat(2_000_000)}`,
  )
  await expect.poll(openSpools).toHaveLength(1)
  context.abort.onAbort!('caller-left')
  await expect(reading).rejects.toMatchObject({ code: 'request.unreadable' })
  await expect.poll(openSpools).toEqual([])
})

it('a file that a killed process left behind is removed at the next start', async () => {
  writeFileSync(`${dataDir}/tmp/upload-1`, 'x')
  await removeSpoolLeftovers(app)
  expect(readdirSync(`${dataDir}/tmp`)).toEqual([])
})
