import { type MailPreview, type MailTemplate, mailTemplates } from '@hub/contract'
import type { App } from '../../core/app.ts'
import type { EmailLanguage, EmailText } from '../../core/define-job.ts'
import { quotaEmail } from '../../core/emails/quota-email.ts'
import { emailTexts } from '../../core/sign-in/emails.ts'
import { siteUrl } from '../../core/site/address.ts'
import { testEmail } from './test-email.ts'

const languages: readonly EmailLanguage[] = ['zh_CN', 'zh_HK', 'en_US', 'ja_JP']
const minutes = 10
/** An address of the documentation range: https://www.rfc-editor.org/rfc/rfc5737 */
const ip = '203.0.113.7'
const name = 'Ada'
/** Without an address of the site no such e-mail is sent, but its sample is shown. */
const sampleResetUrl = 'https://example.com/user/reset#token=…'

/** An e-mail of the product with sample values, by the same code that writes the real one. */
export const sampleEmail = (
  app: App,
  template: MailTemplate,
  language: EmailLanguage,
): EmailText => {
  const { SystemName: site } = app.settings().site
  const texts = emailTexts(language)
  const resetUrl = siteUrl(app, '/user/reset#token=…') ?? sampleResetUrl
  const quota = { name, site, url: siteUrl(app, '/panel/topup') }
  const samples: Record<MailTemplate, () => EmailText> = {
    test: () => testEmail(language, site),
    code: () => texts.code(site, '123456', minutes),
    address_in_use: () => texts.addressInUse(site, siteUrl(app, '/reset')),
    reset: () => texts.reset(site, name, resetUrl, minutes),
    no_account: () => texts.noAccount(site),
    changed: () => texts.changed(site, name, 'password', ip),
    quota_low: () => quotaEmail(language, { ...quota, points: 500, usd: '0.001' }),
    quota_empty: () => quotaEmail(language, { ...quota, points: 0, usd: '0' }),
  }
  return samples[template]()
}

export const allSampleEmails = (app: App): MailPreview[] =>
  mailTemplates.flatMap(template =>
    languages.map(language => {
      const { title, paragraphs, link } = sampleEmail(app, template, language)
      return { template, language, title, paragraphs, link: link ?? null }
    }),
  )
