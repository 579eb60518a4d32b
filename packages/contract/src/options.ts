import { z } from 'zod'
import { get, NoData, NoInput, post, put, resource } from './resource.ts'
import { isSecretSetting } from './settings/index.ts'

/** The e-mails that the product sends. */
export const mailTemplates = [
  'test',
  'code',
  'address_in_use',
  'reset',
  'no_account',
  'changed',
  'quota_low',
  'quota_empty',
] as const
export type MailTemplate = (typeof mailTemplates)[number]

const mailLanguages = ['zh_CN', 'zh_HK', 'en_US', 'ja_JP'] as const

const MailPreview = z.object({
  template: z.enum(mailTemplates),
  language: z.enum(mailLanguages),
  title: z.string(),
  paragraphs: z.array(z.string()),
  link: z.object({ label: z.string(), url: z.string() }).nullable(),
})
export type MailPreview = z.output<typeof MailPreview>

export const TestMail = z.object({
  to: z.email().max(254),
  /** With sample values. */
  template: z.enum(mailTemplates).default('test'),
  /** Absent: the language of the server. */
  language: z.enum(mailLanguages).optional(),
})

export const options = resource('/api/option', {
  list: get('/', {
    access: 'root',
    input: NoInput,
    response: z.array(
      z.object({
        key: z.string(),
        /** Always empty for a secret. */
        value: z.string(),
        /** Present for secrets only: true if a value is stored. */
        is_set: z.boolean().optional(),
      }),
    ),
    summary: 'All settings as text; secrets are only marked as set or not',
  }),
  update: put('/', {
    access: 'root',
    input: z.object({ key: z.string().min(1).max(100), value: z.string().max(100_000) }),
    response: NoData,
    secrets: ({ key }) => (isSecretSetting(String(key)) ? ['value'] : []),
    summary: 'Changes one setting; an invalid value is refused',
  }),
  testMail: post('/test-mail', {
    access: 'root',
    input: TestMail,
    response: NoData,
    summary: 'Sends a test e-mail; an error contains the message of the mail server',
  }),
  testTaskStorage: post('/test-task-storage', {
    access: 'root',
    input: NoInput,
    response: NoData,
    summary:
      'Writes, reads and deletes an object in the storage of task results; an error contains its answer',
  }),
  mailTemplates: get('/mail-templates', {
    access: 'root',
    input: NoInput,
    response: z.array(MailPreview),
    summary: 'Every e-mail that the product sends, in each language, with sample values',
  }),
})
