import { contract } from '@hub/contract'
import { nowSeconds } from '../../core/app.ts'
import { appScoped } from '../../core/app-scoped.ts'
import { implement } from '../../core/implement.ts'
import { isInEffect } from '../../core/secrets/setting-secrets.ts'
import { isBotCheckEnabled } from '../../core/sign-in/bot-check.ts'
import { customProviderRows } from '../../core/sign-in/custom-providers.ts'
import { isPasskeyEnabled } from '../../core/sign-in/passkeys.ts'
import { siteAddress } from '../../core/site/address.ts'
import { botUsername } from '../../core/telegram-bot.ts'
import { version } from '../../lib/runtime/version.ts'

/** The version of One Hub with whose API this server is compatible. */
const compatibleVersion = 'v0.14.13'

const serverTimeZone = new Intl.DateTimeFormat().resolvedOptions().timeZone

export const startTime = appScoped(app => nowSeconds(app))

export const status = implement(contract.status, {
  get: async (app, _caller, _input, context) => {
    const { site, analytics, uptime, registration, payment, turnstile, oauth } = app.settings()
    return {
      version: compatibleVersion,
      hub_version: version,
      start_time: startTime(app),
      language: app.env.language,
      system_name: site.SystemName,
      logo: site.Logo,
      footer_html: site.Footer,
      analytics_code: analytics.AnalyticsCode,
      UptimeEnabled: uptime.UptimeEnabled,
      UptimeDomain: uptime.UptimeDomain,
      UptimePageName: uptime.UptimePageName,
      server_address: siteAddress(app) ?? '',
      top_up_link: site.TopUpLink,
      chat_link: site.ChatLink,
      chat_links: site.ChatLinks,
      quota_per_unit: site.QuotaPerUnit,
      display_in_currency: site.DisplayInCurrencyEnabled,
      email_verification: registration.EmailVerificationEnabled,
      password_login: registration.PasswordLoginEnabled,
      password_reset: isInEffect(app, 'PasswordResetEnabled') && siteAddress(app) !== undefined,
      github_oauth: isInEffect(app, 'GitHubOAuthEnabled'),
      github_client_id: oauth.GitHubClientId,
      oidc_auth: isInEffect(app, 'OIDCAuthEnabled'),
      lark_login: isInEffect(app, 'LarkAuthEnabled'),
      lark_client_id: oauth.LarkClientId,
      custom_oauth_providers: (await customProviderRows(app).get())
        .filter(row => row.enabled === 1)
        .map(({ slug, name }) => ({ slug, name })),
      wechat_login: isInEffect(app, 'WeChatAuthEnabled'),
      wechat_qrcode: oauth.WeChatAccountQRCodeImageURL,
      passkey_login: isPasskeyEnabled(app),
      turnstile_check: isBotCheckEnabled(app),
      turnstile_site_key: turnstile.TurnstileSiteKey,
      telegram_bot: await botUsername(app),
      ...payment,
      time_zone: site.TimeZone || serverTimeZone,
      insecure: !context.isSecureContext,
    }
  },
  notice: app => app.settings().site.Notice,
  about: app => app.settings().site.About,
  home: app => app.settings().site.HomePageContent,
})
