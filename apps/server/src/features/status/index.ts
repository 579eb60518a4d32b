import { contract } from '@hub/contract'
import { nowSeconds } from '../../core/app.ts'
import { appScoped } from '../../core/app-scoped.ts'
import { implement } from '../../core/implement.ts'

/** The version of One Hub with whose API this server is compatible. */
const compatibleVersion = 'v0.14.13'
const ownVersion = '0.1.0'

const serverTimeZone = new Intl.DateTimeFormat().resolvedOptions().timeZone

export const startTime = appScoped(app => nowSeconds(app))

export const status = implement(contract.status, {
  get: (app, _caller, _input, context) => {
    const { site } = app.settings()
    return {
      version: compatibleVersion,
      hub_version: ownVersion,
      start_time: startTime(app),
      language: app.env.language,
      system_name: site.SystemName,
      logo: site.Logo,
      footer_html: site.Footer,
      server_address: site.ServerAddress,
      top_up_link: site.TopUpLink,
      chat_link: site.ChatLink,
      chat_links: site.ChatLinks,
      quota_per_unit: site.QuotaPerUnit,
      display_in_currency: site.DisplayInCurrencyEnabled,
      email_verification: false,
      github_oauth: false,
      github_client_id: '',
      oidc_auth: false,
      lark_login: false,
      lark_client_id: '',
      wechat_login: false,
      wechat_qrcode: '',
      turnstile_check: false,
      turnstile_site_key: '',
      telegram_bot: '',
      UserInvoiceMonth: false,
      time_zone: site.TimeZone || serverTimeZone,
      insecure: !context.isSecureContext,
    }
  },
  notice: app => app.settings().site.Notice,
  about: app => app.settings().site.About,
  home: app => app.settings().site.HomePageContent,
})
