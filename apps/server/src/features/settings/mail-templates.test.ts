import { afterAll, beforeAll, expect, it } from 'vitest'
import { type MailServer, startMailServer } from '../../../../../test/harness/mail-server.ts'
import { onBothEnginesInLongRuns, type TestApp } from '../../../test/harness.ts'

onBothEnginesInLongRuns('e-mails of the product', open => {
  let hub: TestApp
  let mailServer: MailServer
  beforeAll(async () => {
    mailServer = await startMailServer()
    hub = await open({ LANGUAGE: 'en_US' })
    for (const [key, value] of [
      ['SMTPServer', '127.0.0.1'],
      ['SMTPPort', String(mailServer.port)],
      ['SMTPFrom', 'hub@example.com'],
    ] as const)
      await hub.root.put('/api/option/', { key, value })
  })
  afterAll(() => mailServer?.close())

  it('every e-mail is shown in four languages with sample values, and can be sent', async () => {
    const { data } = (await hub.root.get('/api/option/mail-templates')).body
    const previews = data as {
      template: string
      language: string
      title: string
      paragraphs: string[]
    }[]
    expect(new Set(previews.map(each => `${each.template} ${each.language}`)).size).toBe(8 * 4)
    // No text is shared between two languages by mistake.
    for (const [template, all] of Map.groupBy(previews, each => each.template))
      expect([template, new Set(all.map(each => each.paragraphs.join())).size]).toEqual([
        template,
        4,
      ])
    mailServer.emails.length = 0
    for (const { template, language } of previews)
      expect(
        (
          await hub.root.post('/api/option/test-mail', {
            to: 'ann@example.com',
            template,
            language,
          })
        ).body.success,
      ).toBe(true)
    expect(mailServer.emails.map(each => each.subject)).toEqual(previews.map(each => each.title))
    const reset = mailServer.emails.find(each => each.subject?.includes('reset your password'))
    expect(reset?.text).toContain('http://localhost:3000/user/reset#token=')
    expect(reset?.html).toContain('href="http://localhost:3000/user/reset#token=')
  })
})
