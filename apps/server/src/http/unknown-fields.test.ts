import { contract, type Endpoint } from '@hub/contract'
import { beforeAll, expect, it } from 'vitest'
import { onOneEngine, type TestApp } from '../../test/harness.ts'

onOneEngine('unknown fields', open => {
  let hub: TestApp
  beforeAll(async () => {
    hub = await open()
  })

  it('a query parameter that no endpoint obeys is refused by every list and read', async () => {
    for (const { base, endpoints } of Object.values(contract))
      for (const { method, path } of Object.values(endpoints as Record<string, Endpoint>)) {
        if (method !== 'GET' || path.includes('logout')) continue
        const url = `${base}${path}`.replace(/:\w+/g, '1')
        const { status, body } = await hub.root.get(`${url}?no_such_filter=2`)
        expect([url, status, body.code]).toEqual([url, 422, 'request.unknown_field'])
        expect(body.message).toContain('`no_such_filter`')
      }
    const rows = await hub.root.get('/api/log/?user_id=2')
    expect([rows.status, rows.body.code]).toEqual([422, 'request.unknown_field'])
    expect((await hub.root.get('/api/log/?_=1')).status).toBe(200)
  })

  it('a field of One Hub without effect here is refused unless it is empty', async () => {
    const [token, group] = [{ name: 'a' }, { symbol: 'g1', name: 'g', ratio: 1 }]
    const user = { username: 'someone', password: 'password-of-someone' }
    for (const [method, path, body, field, empty] of [
      ['POST', '/api/token/', token, 'enableCache', false],
      ['POST', '/api/user_group/', group, 'promotion', false],
      ['POST', '/api/user_group/', { ...group, symbol: 'g2' }, 'min', 0],
      ['POST', '/api/user/', user, 'avatar', ''],
      ['PUT', '/api/user/self', { display_name: 'x' }, 'email', ''],
    ] as const) {
      const refused = await hub.root.send(method, path, { ...body, [field]: 'a@b.example' })
      expect([field, refused.status, refused.body.code]).toEqual([
        field,
        422,
        'request.unknown_field',
      ])
      expect(refused.body.message).toContain(`\`${field}\``)
      const accepted = await hub.root.send(method, path, { ...body, [field]: empty })
      expect([field, accepted.status, accepted.text]).toEqual([field, 200, accepted.text])
    }
  })
})
