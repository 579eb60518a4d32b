import { request } from 'node:http'
import { signWithSigV4 } from '@hub/providers'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { copyResults } from '../../src/tasks/copies/copy.ts'
import { removeCopies } from '../../src/tasks/copies/remove.ts'
import { onBothEngines } from '../harness.ts'
import { type CopiesHub, expectServed, useCopies } from './copies-hub.ts'
import { startKlingVendor } from './kling-vendor.ts'
import { S3Server } from './s3-server.ts'

const mebibyte = 1024 * 1024
const vendor = await startKlingVendor()
const original = vendor.video
const another = Buffer.from('another video')
const storage = await new S3Server().start()
afterAll(async () => {
  await vendor.close()
  await storage.close()
})

const settingsOf = () => ({ ...storage.settings, TaskStoragePrefix: 'hub/copies/' })

type StorageHub = CopiesHub & { test(): Promise<{ code?: string; message?: string }> }

const useStorage = (open: Parameters<typeof useCopies>[1]): StorageHub => {
  const tools = useCopies(vendor, open)
  beforeAll(async () => {
    storage.now = () => tools.hub.app.clock.now
    for (const [key, value] of Object.entries(settingsOf())) await tools.setOption(key, value)
  })
  beforeEach(() => {
    storage.refuse = () => undefined
    storage.calls.length = 0
  })
  const test = async () => (await tools.hub.app.root.post('/api/option/test-task-storage', {})).body
  return { ...tools, test }
}

const servingTests = (tools: StorageHub) => {
  const { hub, finished, content, files } = tools
  it('have one object for each result, which is served after the provider has deleted its own', async () => {
    const id = await finished()
    vendor.video = another
    await expectServed(tools, id, original)
    expect(files()).toEqual([])
    const [key] = [...storage.objects.keys()].slice(-1)
    expect(key).toMatch(/^hub\/copies\/\d+-0$/)
    expect(storage.calls[0]).toMatchObject({ method: 'PUT', size: original.length })
  })

  it('are given large results in parts of one size', async () => {
    const large = Buffer.alloc(17 * mebibyte + 3, 'frames of a large video. ')
    vendor.video = large
    const id = await finished()
    const parts = storage.calls.filter(each => each.query.has('partNumber'))
    expect(parts.map(each => each.size)).toEqual([8 * mebibyte, 8 * mebibyte, mebibyte + 3])
    expect(storage.uploads.size).toBe(0)
    vendor.video = another
    await expectServed(tools, id, large)
  })

  it('end an upload that failed, and get the result by a later try', async () => {
    const large = Buffer.alloc(9 * mebibyte, 'frames. ')
    vendor.video = large
    storage.refuse = ({ query }) =>
      query.get('partNumber') === '2' ? { status: 503, code: 'SlowDown' } : undefined
    const before = storage.objects.size
    const id = await finished()
    expect([storage.objects.size, storage.uploads.size]).toEqual([before, 0])
    expect((await content(id)).body.equals(large)).toBe(true)
    storage.refuse = () => undefined
    hub.app.clock.now += 60_000
    await copyResults(hub.app.app)
    vendor.video = another
    expect((await content(id)).body.equals(large)).toBe(true)
  })

  it('are not needed: the provider is asked where they refuse, lost a copy, or have another', async () => {
    const id = await finished()
    vendor.video = another
    const key = [...storage.objects.keys()].at(-1)!
    storage.refuse = () => ({ status: 500, code: 'InternalError' })
    expect((await content(id)).body.equals(another)).toBe(true)
    storage.refuse = () => undefined
    storage.objects.set(key, Buffer.from('short'))
    expect((await content(id)).body.equals(another)).toBe(true)
    storage.objects.delete(key)
    expect((await content(id)).body.equals(another)).toBe(true)
  })
}

const removalTests = ({ hub, finished, remove, content, setOption }: StorageHub) => {
  it('lose a copy with its task and after its time, also when they did not answer at first', async () => {
    await removeCopies(hub.app.app)
    const before = storage.objects.size
    const [deleted] = [await finished(), await finished()]
    expect(storage.objects.size).toBe(before + 2)
    await remove(deleted!)
    storage.refuse = () => ({ status: 503, code: 'SlowDown' })
    await removeCopies(hub.app.app)
    expect(storage.objects.size).toBe(before + 2)
    storage.refuse = () => undefined
    await removeCopies(hub.app.app)
    expect(storage.objects.size).toBe(before + 1)
    hub.app.clock.now += 2 * 86_400_000
    await removeCopies(hub.app.app)
    expect(await hub.app.app.db.selectFrom('task_copies').selectAll().execute()).toEqual([])
  })

  it('keep what they have when the settings name another bucket, and the data folder can be used again', async () => {
    const id = await finished()
    const before = storage.objects.size
    await setOption('TaskStorageBucket', 'another-bucket')
    vendor.video = another
    storage.calls.length = 0
    expect((await content(id)).body.equals(another)).toBe(true)
    await remove(id)
    await removeCopies(hub.app.app)
    expect([storage.calls, storage.objects.size]).toEqual([[], before])
    await setOption('TaskStorageBucket', storage.bucket)
    await setOption('TaskStorageEnabled', 'false')
    const inFolder = await finished()
    expect(storage.calls).toEqual([])
    vendor.video = original
    expect((await content(inFolder)).body.equals(another)).toBe(true)
    await setOption('TaskStorageEnabled', 'true')
  })
}

const settingTests = ({ hub, setOption, test }: StorageHub) => {
  const written = async (key: string, value: string) =>
    (await hub.app.root.put('/api/option/', { key, value })).body

  it('are tested by one object, which is deleted, and a refusal says what they said', async () => {
    const before = storage.objects.size
    expect(await test()).toMatchObject({ success: true })
    expect(storage.calls.map(each => each.method)).toEqual(['PUT', 'GET', 'DELETE'])
    expect(storage.objects.size).toBe(before)
    const wrong: [string, string, string][] = [
      ['TaskStorageSecretKey', 'another', '403 SignatureDoesNotMatch'],
      ['TaskStorageAccessKey', 'another', '403 InvalidAccessKeyId'],
      ['TaskStorageBucket', 'another-bucket', '404 NoSuchBucket'],
      ['TaskStorageRegion', 'eu-west-1', '400 AuthorizationHeaderMalformed'],
    ]
    for (const [key, value, reason] of wrong) {
      await setOption(key, value)
      const { code, message } = await test()
      expect([code, message]).toEqual(['storage.failed', expect.stringContaining(reason)])
      expect(message).not.toContain(storage.secretKey)
      await setOption(key, settingsOf()[key as keyof ReturnType<typeof settingsOf>])
    }
    expect(await test()).toMatchObject({ success: true })
    const admin = await hub.app.person(10)
    expect((await admin.post('/api/option/test-task-storage', {})).status).toBe(403)
  })

  it('are refused where a setting cannot be right', async () => {
    const wrong = {
      TaskStorageEndpoint: [
        's3.example.com',
        'ftp://s3.example.com',
        'https://s3.example.com/path',
      ],
      TaskStorageRegion: ['', 'eu west'],
      TaskStorageBucket: ['Bucket', 'a', '../other', 'name/folder'],
      TaskStoragePrefix: ['/copies/', 'copies', '../', 'a//b/', 'a?b/'],
    }
    for (const [key, values] of Object.entries(wrong))
      for (const value of values)
        expect((await written(key, value)).code, `${key} ${value}`).toBe('setting.invalid')
    await setOption('TaskStorageEnabled', 'false')
    await setOption('TaskStorageAccessKey', '')
    expect((await test()).code).toBe('storage.unset')
    const refused = await written('TaskStorageEnabled', 'true')
    expect([refused.code, refused.message]).toEqual([
      'setting.incomplete',
      expect.stringContaining('TaskStorageAccessKey'),
    ])
    await setOption('TaskStorageAccessKey', storage.accessKey)
    await setOption('TaskStorageEnabled', 'true')
  })
}

const secrecyTests = ({ hub, setOption, test }: StorageHub) => {
  const isSet = async () =>
    (await hub.app.root.get('/api/option/')).body.data.find(
      (row: { key: string }) => row.key === 'TaskStorageSecretKey',
    )

  it('S2 are not called at a private address where the setting forbids it', async () => {
    await setOption('PrivateAddressesAllowed', 'false')
    expect((await test()).code).toBe('address.forbidden')
    await setOption('TaskStorageEndpoint', 'http://localhost:1')
    await setOption('TaskStorageSecretKey', 'any')
    expect((await test()).code).toBe('address.forbidden')
    await setOption('PrivateAddressesAllowed', 'true')
    expect((await test()).message).toContain('ECONNREFUSED')
    expect(storage.calls).toEqual([])
  })

  it('S5 lose their secret key when the address changes, and nobody is shown it', async () => {
    expect(await isSet()).toEqual({ key: 'TaskStorageSecretKey', value: '', is_set: true })
    await setOption('TaskStorageEndpoint', storage.url)
    expect(await isSet()).toMatchObject({ value: '', is_set: false })
    await setOption('TaskStorageSecretKey', storage.secretKey)
    await setOption('TaskStorageEndpoint', `${storage.url}/`)
    expect(await isSet()).toMatchObject({ is_set: true })
    for (const table of ['options', 'audit'] as const) {
      const rows = await hub.app.app.db.selectFrom(table).selectAll().execute()
      expect(JSON.stringify(rows), table).not.toContain(storage.secretKey)
    }
    expect(await test()).toMatchObject({ success: true })
  })
}

onBothEngines('S3-compatible storages', open => {
  const tools = useStorage(open)
  servingTests(tools)
  removalTests(tools)
  settingTests(tools)
  secrecyTests(tools)
})

type RawCall = { method: string; path: string; body: string; more?: Record<string, string> }

/** Sends a call that is signed for its body, with other headers on top. Returns the status and the code of its refusal. */
const call = ({ method, path, body, more = {} }: RawCall): Promise<[number, string]> =>
  new Promise((resolve, reject) => {
    const keys = { region: storage.region, id: storage.accessKey, secret: storage.secretKey }
    const outgoing = { method, origin: storage.url, path, body: Buffer.from(body) }
    const { headers } = signWithSigV4('s3', keys, storage, outgoing)
    const sent = request(storage.url + path, { method, headers: { ...headers, ...more } })
    sent.on('error', reject).on('response', async answer => {
      let text = ''
      for await (const chunk of answer) text += String(chunk)
      const [, code = '', id = ''] =
        /<Code>(.*)<\/Code>|<UploadId>(.*)<\/UploadId>/.exec(text) ?? []
      resolve([answer.statusCode!, code || id])
    })
    sent.end(body)
  })

it('the fake refuses other signatures, bodies without their length, and parts below 5 MiB', async () => {
  storage.now = Date.now
  storage.refuse = () => undefined
  const put = { method: 'PUT', path: `/${storage.bucket}/a`, body: 'body' }
  expect(await call(put)).toEqual([200, ''])
  const signature = `${'0'.repeat(64)}`
  const authorization = `AWS4-HMAC-SHA256 Credential=${storage.accessKey}/${new Date().toISOString().slice(0, 10).replaceAll('-', '')}/${storage.region}/s3/aws4_request, SignedHeaders=host;x-amz-content-sha256;x-amz-date, Signature=${signature}`
  expect(await call({ ...put, more: { authorization } })).toEqual([403, 'SignatureDoesNotMatch'])
  expect(await call({ ...put, more: { 'x-amz-acl': 'public-read' } })).toEqual([
    403,
    'AccessDenied',
  ])
  const chunked = { 'transfer-encoding': 'chunked' }
  expect(await call({ ...put, more: chunked })).toEqual([411, 'MissingContentLength'])
  // Node's parser may close the connection before the answer is there.
  const cut = await call({ ...put, more: { 'content-length': '3' } }).catch(() => [400])
  expect(cut[0]).toBe(400)
  const start = { method: 'POST', path: `/${storage.bucket}/b?uploads=`, body: '' }
  const [, id] = await call(start)
  const query = `uploadId=${encodeURIComponent(id).replace(/[()*]/g, sign => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)}`
  for (const number of [1, 2]) {
    const path = `/${storage.bucket}/b?partNumber=${number}&${query}`
    expect((await call({ method: 'PUT', path, body: `part ${number}` }))[0]).toBe(200)
  }
  const tags = [...storage.uploads.get(id)!.parts.values()].map(each => each.tag)
  const list = tags.map(
    (tag, at) => `<Part><PartNumber>${at + 1}</PartNumber><ETag>${tag}</ETag></Part>`,
  )
  const complete = { method: 'POST', path: `/${storage.bucket}/b?${query}` }
  const body = (parts: string[]) =>
    `<CompleteMultipartUpload>${parts.join('')}</CompleteMultipartUpload>`
  expect(await call({ ...complete, body: body(list) })).toEqual([200, 'EntityTooSmall'])
  expect(await call({ ...complete, body: body(list.toReversed()) })).toEqual([400, 'InvalidPart'])
  expect(await call({ ...complete, body: body(list.slice(0, 1)) })).toEqual([200, ''])
})
