import { z } from 'zod'
import { get, NoData, NoInput, post } from './resource.ts'
import { FreshProof } from './second-factor.ts'
import { SignInResult } from './sign-in.ts'

const answer = {
  /** The code that the official account sent to the user. */
  code: z.string().trim().min(1).max(64).meta({ secret: true }),
  /** From `POST /api/oauth/wechat/begin` in this browser; five codes may be tried with it. */
  state: z.string().min(1).max(200).meta({ secret: true }),
}

/** Sign-in by a code of an official account of WeChat. */
export const weChatEndpoints = {
  beginWeChat: post('/oauth/wechat/begin', {
    access: 'public',
    input: NoInput,
    response: z.object({ state: z.string(), expires_in: z.number() }),
    limit: 'starts',
    summary: 'A state for codes of the official account in this browser, within three minutes',
  }),
  loginByWeChat: get('/oauth/wechat', {
    access: 'public',
    input: z.object({
      ...answer,
      /** The code of the inviter, for a new account. An unknown code is ignored. */
      aff: z.string().trim().max(64).default(''),
    }),
    response: SignInResult,
    limit: 'failures',
    audit: true,
    summary: 'Signs in by a code of the official account; registers a user who has no account',
  }),
  bindWeChat: post('/oauth/wechat/bind', {
    access: 'user',
    input: FreshProof.extend({ wechat_code: answer.code, state: answer.state }),
    response: NoData,
    limit: 'failures',
    audit: true,
    summary: 'Binds the WeChat account of a code to the user',
  }),
}
