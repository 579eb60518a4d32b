import { expect } from 'vitest'
import { callApi } from '../harness/admin.ts'
import { startFakeWeChat } from '../harness/sign-in/fake-wechat.ts'
import type { TestHub } from '../harness/test-hub.ts'

/** The part of `settings.test.ts` about sign-ins by WeChat. */
export const weChatSettings = (hub: () => TestHub) => {
  const set = (key: string, value: string) => hub().admin.setOption(key, value)
  const post = () =>
    callApi<{ state: string }>(hub().gateway, {}, 'POST', '/api/oauth/wechat/begin', {})
  const login = async () => {
    const begun = await post()
    const cookies = begun.headers.getSetCookie().map(each => each.split(';')[0])
    const session = { cookie: cookies.join('; ') }
    const query = new URLSearchParams({ code: '123456', state: begun.data.state })
    return (await callApi(hub().gateway, session, 'GET', `/api/oauth/wechat?${query}`)).code
  }
  const withHelper = async (work: () => Promise<void>) => {
    const helper = await startFakeWeChat('helper-token')
    try {
      await set('WeChatServerAddress', helper.url)
      await set('WeChatServerToken', 'helper-token')
      await set('WeChatAuthEnabled', 'true')
      await work()
    } finally {
      helper.close()
    }
  }
  return {
    WeChatAuthEnabled: () =>
      withHelper(async () => {
        expect((await post()).success).toBe(true)
        await set('WeChatAuthEnabled', 'false')
        expect((await post()).code).toBe('oauth.disabled')
      }),
    WeChatServerAddress: () =>
      withHelper(async () => {
        expect(await login()).toBe('wechat.code_wrong')
        await set('WeChatServerAddress', 'http://127.0.0.1:1')
        expect(await login()).toBe('oauth.unreachable')
      }),
    WeChatServerToken: () =>
      withHelper(async () => {
        await set('WeChatServerToken', 'another')
        expect(await login()).toBe('oauth.unreachable')
      }),
    WeChatAccountQRCodeImageURL: async () => {
      const image = 'https://hub.example/qr.png'
      await set('WeChatAccountQRCodeImageURL', image)
      const { data } = await callApi<{ wechat_qrcode: string }>(
        hub().gateway,
        {},
        'GET',
        '/api/status',
      )
      expect(data.wechat_qrcode).toBe(image)
    },
  }
}
