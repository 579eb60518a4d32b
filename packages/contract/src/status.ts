import { z } from 'zod'
import { get, NoInput, resource } from './resource.ts'

/** The site information under One Hub's names. Fields of features that do not exist yet have their default. */
export const Status = z.object({
  version: z
    .string()
    .meta({ description: 'The One Hub version whose API this server implements.' }),
  hub_version: z.string().meta({ description: 'The version of this server.' }),
  start_time: z.number(),
  language: z.enum(['zh_CN', 'zh_HK', 'en_US', 'ja_JP']),
  system_name: z.string(),
  logo: z.string(),
  footer_html: z.string(),
  /** Scripts of the operator, for every page. */
  analytics_code: z.string(),
  UptimeEnabled: z.boolean(),
  UptimeDomain: z.string(),
  UptimePageName: z.string(),
  /** Empty: it is not configured, and the console uses its own. */
  server_address: z.string(),
  top_up_link: z.string(),
  chat_link: z.string(),
  chat_links: z.string(),
  quota_per_unit: z.number(),
  display_in_currency: z.boolean(),
  email_verification: z.boolean(),
  /** Users may sign in with a password. An addition to One Hub. */
  password_login: z.boolean(),
  /** Visitors can ask for a link to choose a new password. An addition to One Hub. */
  password_reset: z.boolean(),
  github_oauth: z.boolean(),
  github_client_id: z.string(),
  oidc_auth: z.boolean(),
  lark_login: z.boolean(),
  lark_client_id: z.string(),
  /** Providers of sign-ins that the super administrator added; see `/api/oauth/endpoint`. */
  custom_oauth_providers: z.array(z.object({ slug: z.string(), name: z.string() })),
  wechat_login: z.boolean(),
  wechat_qrcode: z.string(),
  /** Passkeys are switched on, and the server address has a domain to which they can belong. */
  passkey_login: z.boolean(),
  turnstile_check: z.boolean(),
  turnstile_site_key: z.string(),
  telegram_bot: z.string(),
  /** The price of one US dollar in yuan. */
  PaymentUSDRate: z.number(),
  /** The smallest top-up in US dollars. */
  PaymentMinAmount: z.number(),
  /** A JSON object of amounts in US dollars and the factor of their price. */
  RechargeDiscount: z.string(),
  UserInvoiceMonth: z.boolean(),
  /** The zone of statistics, daily limits and all times in the console, such as Asia/Shanghai. */
  time_zone: z.string(),
  /** The request came without TLS and not to localhost. The console warns administrators. */
  insecure: z.boolean(),
})
export type Status = z.output<typeof Status>

export const status = resource('/api', {
  get: get('/status', {
    access: 'public',
    input: NoInput,
    response: Status,
    summary: 'Site information',
  }),
  notice: get('/notice', {
    access: 'public',
    input: NoInput,
    response: z.string(),
    summary: 'The announcement, Markdown or HTML',
  }),
  about: get('/about', {
    access: 'public',
    input: NoInput,
    response: z.string(),
    summary: 'The about page, Markdown, HTML or an address',
  }),
  home: get('/home_page_content', {
    access: 'public',
    input: NoInput,
    response: z.string(),
    summary: 'The home page, Markdown, HTML or an address',
  }),
})
