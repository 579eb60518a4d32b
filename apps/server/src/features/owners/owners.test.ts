import { beforeAll, expect, it } from 'vitest'
import { onBothEngines, type TestApp } from '../../../test/harness.ts'

onBothEngines('owners', open => {
  let hub: TestApp
  beforeAll(async () => {
    hub = await open()
  })

  it('built-in owners can be renamed and never deleted; own ones begin at 1000', async () => {
    const [first] = (await hub.guest().get('/api/model_ownedby')).body.data
    expect(first.id).toBeLessThan(1000)
    expect((await hub.root.put('/api/model_ownedby/', { ...first, name: 'Renamed' })).status).toBe(
      200,
    )
    expect((await hub.root.delete(`/api/model_ownedby/${first.id}`)).status).toBeGreaterThanOrEqual(
      400,
    )
    expect((await hub.root.post('/api/model_ownedby/', { id: 999, name: 'x' })).status).toBe(400)
  })

  it('an owner is made, shown by id, changed and deleted', async () => {
    const owner = { id: 1001, name: 'Acme', icon: 'https://acme.example/i.png' }
    expect((await hub.root.post('/api/model_ownedby/', owner)).status).toBe(200)
    expect((await hub.root.post('/api/model_ownedby/', owner)).body.code).toBe('resource.exists')
    expect((await hub.guest().get('/api/ownedby')).body.data['1001']).toEqual(owner)
    expect(
      (
        await hub.root.post('/api/model_ownedby/', {
          ...owner,
          id: 1002,
          icon: 'javascript:alert(1)',
        })
      ).status,
    ).toBe(400)
    expect((await hub.root.delete('/api/model_ownedby/1001')).status).toBe(200)
    expect((await hub.root.get('/api/model_ownedby/1001')).status).toBe(404)
  })
})
