import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Json, useRelayHub } from '../relay-hub.ts'
import { type FileVendor, startFileVendor, type VendorAnswer, type VendorCall } from './vendor.ts'

const hub = useRelayHub()
let vendor: FileVendor
let made = 0

const item = { id: 'msg_1', type: 'message', role: 'user', content: [] }

/** https://developers.openai.com/api/reference/resources/conversations */
const serve = ({ method, path }: VendorCall): VendorAnswer | undefined => {
  const [whole, id, items, itemId] =
    /^\/v1\/conversations(?:\/([^/]+))?(\/items)?(?:\/([^/]+))?$/.exec(path) ?? []
  if (whole === undefined) return undefined
  made += 1
  const conversation = { id: id ?? `conv_v${made}`, object: 'conversation', metadata: {} }
  if (itemId !== undefined) return { json: method === 'GET' ? item : conversation }
  if (items !== undefined) return { json: { object: 'list', data: [item], has_more: false } }
  if (method === 'DELETE') return { json: { id, object: 'conversation.deleted', deleted: true } }
  return { json: conversation }
}

beforeAll(async () => {
  vendor = await startFileVendor()
  vendor.routes.push(serve)
  await hub.addChannel(1, 'gpt-5.4', { base_url: vendor.url, key: 'account' })
})
afterAll(() => vendor?.close())

const call = async (method: string, path: string, body?: object) => {
  const response = await fetch(`${hub.url}/v1/conversations${path}`, {
    method,
    headers: { authorization: `Bearer ${hub.key}`, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  })
  const json = (await response.json()) as Json
  return { status: response.status, code: json.error?.code, json }
}

const items = [{ role: 'user', content: 'Hi.' }]

/** The methods of the API, and the fields of what each answers. */
const served = [
  ['POST', '', { items }, { object: 'conversation' }],
  ['GET', '/:id', undefined, { object: 'conversation' }],
  ['POST', '/:id', { metadata: {} }, { object: 'conversation' }],
  ['GET', '/:id/items', undefined, { object: 'list' }],
  ['POST', '/:id/items', { items }, { object: 'list' }],
  ['GET', '/:id/items/:item', undefined, { type: 'message' }],
  ['DELETE', '/:id/items/:item', undefined, { object: 'conversation' }],
  ['DELETE', '/:id', undefined, { object: 'conversation.deleted' }],
] as const

/** Methods that the API does not have, in no situation. */
const unserved = [
  ['GET', ''],
  ['PUT', '/:id'],
  ['PATCH', '/:id'],
  ['PUT', '/:id/items'],
  ['PATCH', '/:id/items/:item'],
] as const

type Situation = {
  title: string
  isOn: boolean
  isStored: boolean
  by: 'vendor' | 'gateway' | 'nobody'
}

const situations: readonly Situation[] = [
  { title: 'nobody stores them', isOn: false, isStored: false, by: 'nobody' },
  { title: 'the gateway stores responses', isOn: true, isStored: false, by: 'gateway' },
  { title: 'a channel of OpenAI stores them', isOn: false, isStored: true, by: 'vendor' },
  { title: 'both could store them', isOn: true, isStored: true, by: 'vendor' },
]

for (const { title, isOn, isStored, by } of situations)
  describe(`where ${title}`, () => {
    beforeAll(async () => {
      const value = String(isOn)
      await hub.app.root.put('/api/option/', { key: 'KeepResponsesEnabled', value })
      const row = (await hub.app.root.get('/api/channel/1')).body.data
      const plugin = { storage: { conversations: isStored } }
      const changed = await hub.app.root.put('/api/channel/', { ...row, plugin })
      expect(changed.body.success).toBe(true)
    })

    it.each(served)(`%s %s is answered by ${by}`, async (method, path, body, expected) => {
      vendor.calls.length = 0
      if (by === 'nobody') {
        const refused = await call(
          method,
          path.replace(':id', 'conv_1').replace(':item', 'msg_1'),
          body,
        )
        const [status, code] = path === '' ? [501, 'stored_none'] : [404, 'stored_unknown']
        expect([refused.status, refused.code]).toEqual([status, code])
        expect(vendor.calls).toEqual([])
        return
      }
      const { json: conversation } = await call('POST', '', { items })
      const { json: list } = await call('GET', `/${conversation.id}/items`)
      const itemId = list.data[0].id
      vendor.calls.length = 0
      const answered = await call(
        method,
        path.replace(':id', conversation.id).replace(':item', itemId),
        body,
      )
      expect([answered.status, answered.json]).toMatchObject([200, expected])
      expect(vendor.calls).toHaveLength(by === 'vendor' ? 1 : 0)
    })

    it.each(unserved)('%s %s is refused', async (method, path) => {
      vendor.calls.length = 0
      const { status, code } = await call(
        method,
        path.replace(':id', 'conv_1').replace(':item', 'msg_1'),
      )
      expect([status, code, vendor.calls]).toEqual([404, 'route_unknown', []])
    })

    it('refuses addresses below a conversation that the API does not have', async () => {
      if (by !== 'gateway') return
      const { json: conversation } = await call('POST', '', { items })
      for (const path of ['/other', '/items/msg_1/more'])
        expect(await call('GET', `/${conversation.id}${path}`)).toMatchObject({ status: 404 })
    })
  })
