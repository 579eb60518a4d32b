import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { beforeAll, expect, it } from 'vitest'
import { onOneEngine, type TestApp } from '../../../test/harness.ts'

/** Signed by itself, for `localhost` and 127.0.0.1, and valid for a hundred years. */
const selfSigned = {
  key: `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQglVSXPJNuVaU1G9NP
c4f2evG0l0Go8HqitvkMZ4sPJf+hRANCAARm5OqL1a11Qa457PN0196sDIKiD0nq
ep4PBQ/QxzPoyoj+yV6KXeNm03Y4LA2028mDz/4syMeIuQW4cevzBp12
-----END PRIVATE KEY-----`,
  cert: `-----BEGIN CERTIFICATE-----
MIIBmzCCAUGgAwIBAgIUUP3B22vn3avNGoJUt2ioICwf+pswCgYIKoZIzj0EAwIw
FDESMBAGA1UEAwwJbG9jYWxob3N0MCAXDTI2MTEyMzE5MzYyNloYDzIxMjYxMDMw
MTkzNjI2WjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjO
PQMBBwNCAARm5OqL1a11Qa457PN0196sDIKiD0nqep4PBQ/QxzPoyoj+yV6KXeNm
03Y4LA2028mDz/4syMeIuQW4cevzBp12o28wbTAdBgNVHQ4EFgQUGblJNti/ICzE
TiSNL32GcPiPbPgwHwYDVR0jBBgwFoAUGblJNti/ICzETiSNL32GcPiPbPgwDwYD
VR0TAQH/BAUwAwEB/zAaBgNVHREEEzARgglsb2NhbGhvc3SHBH8AAAEwCgYIKoZI
zj0EAwIDSAAwRQIhAJ5RmUT0O5YF3QHJ+76xJ9SCIhKr1TcNR9dhW8rwCtQNAiAf
+Df0zGLPT1P7wR1+aG263149JKgz1zjS5361f5zfIg==
-----END CERTIFICATE-----`,
}

onOneEngine('the certificate of an upstream', open => {
  let hub: TestApp
  beforeAll(async () => {
    hub = await open()
  })

  it('C37 an upstream whose certificate no authority signed gets no request, and no key', async () => {
    const requests: string[] = []
    const server = createServer(selfSigned, ({ rawHeaders }, response) => {
      requests.push(rawHeaders.join(' '))
      response.end('{"data":[{"id":"m"}]}')
    })
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
    const base_url = `https://localhost:${(server.address() as AddressInfo).port}`
    const channel = { type: 1, name: 'vendor', models: 'm', key: 'sk-stored', base_url }
    const { id } = (await hub.root.post('/api/channel/', channel)).body.data[0]
    const models = await hub.root.post('/api/channel/provider_models_list', { id, type: 1 })
    expect(models.body.code).toBe('channel.models_unavailable')
    expect((await hub.root.post(`/api/channel/test/${id}`)).body.success).toBe(false)
    expect(requests).toEqual([])
    server.close()
  })
})
