import { Fault } from '@hub/contract'
import { z } from 'zod'
import { type ProviderContext, readJson } from './sign-in-provider.ts'

type WeChatRequest = {
  /** The address of a wechat-server. */
  address: string
  token: string
  code: string
  fetch: ProviderContext<never>['fetch']
}

/** https://github.com/songquanpeng/wechat-server: every answer has status 200. */
const Answer = z.object({
  success: z.boolean(),
  message: z.string().default(''),
  data: z.string().nullish(),
})

/**
 * Returns the id of the WeChat user to whom the official account sent the code; empty for a wrong or expired code, which
 * the helper answers with success and no data.
 */
export const redeemWeChatCode = async ({
  address,
  token,
  code,
  fetch,
}: WeChatRequest): Promise<string> => {
  const url = new URL('api/wechat/user', address.endsWith('/') ? address : `${address}/`)
  url.searchParams.set('code', code)
  const answer = await readJson(
    await fetch(url.href, { headers: { authorization: token } }),
    Answer,
  )
  // It refuses our token, not the user's code.
  if (!answer.success) throw new Fault('oauth.unreachable')
  const subject = answer.data?.trim() ?? ''
  if (subject.length > 255) throw new Fault('oauth.refused', { hint: 'It named no account.' })
  return subject
}
