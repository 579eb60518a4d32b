import type { EmailLanguage, EmailText } from '../../core/define-job.ts'

const texts: Record<EmailLanguage, (site: string) => EmailText> = {
  zh_CN: site => ({
    title: `${site}：测试邮件`,
    paragraphs: ['邮件服务器已可正常使用。', '这封邮件由管理员在设置页面中发出。'],
  }),
  zh_HK: site => ({
    title: `${site}：測試電郵`,
    paragraphs: ['電郵伺服器已可正常使用。', '這封電郵由管理員在設定頁面中發出。'],
  }),
  en_US: site => ({
    title: `${site}: test message`,
    paragraphs: [
      'The mail server works.',
      'An administrator sent this message from the settings page.',
    ],
  }),
  ja_JP: site => ({
    title: `${site}：テストメール`,
    paragraphs: [
      'メールサーバーは正常に動作しています。',
      'このメールは管理者が設定画面から送信しました。',
    ],
  }),
}

/** Returns the text in the language of the site. */
export const testEmail = (language: EmailLanguage, site: string): EmailText => texts[language](site)
