import { z } from 'zod'
import { boolean, link, secret, text } from './fields.ts'

const address = (value: string) =>
  z
    .url({ protocol: /^https?$/ })
    .max(500)
    .transform(url => url.replace(/\/+$/, ''))
    .default(value)

/**
 * Sign-in by third parties. A provider is offered when it is switched on and its other settings are set. The order is
 * that of saving: a new server removes the secret, and a switch needs the settings before it.
 */
export const oauth = z.object({
  GitHubClientId: text(200),
  /** The address of a GitHub Enterprise Server instead. */
  GitHubServer: address('https://github.com'),
  GitHubClientSecret: secret(),
  GitHubOAuthEnabled: boolean(false),
  /** The app id. */
  LarkClientId: text(200),
  /** `https://open.larksuite.com` outside China. */
  LarkServer: address('https://open.feishu.cn'),
  LarkClientSecret: secret(),
  LarkAuthEnabled: boolean(false),
  OIDCClientId: text(200),
  /** The address below which `/.well-known/openid-configuration` is found. */
  OIDCIssuer: link(),
  OIDCClientSecret: secret(),
  /** Separated by commas or spaces. */
  OIDCScopes: text(500).default('openid,profile,email'),
  /** The claim that suggests the name of a new account. */
  OIDCUsernameClaims: text(100).default('preferred_username'),
  OIDCAuthEnabled: boolean(false),
  /** The address of a wechat-server, which connects an official account. */
  WeChatServerAddress: link(),
  WeChatServerToken: secret(),
  /** The QR code of the official account. */
  WeChatAccountQRCodeImageURL: link(),
  WeChatAuthEnabled: boolean(false),
})
