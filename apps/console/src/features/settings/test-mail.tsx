import { TestMail as TestMailInput } from '@hub/contract'
import { api, useSite, useUser } from '../../api/index.ts'
import { FormDialog, useAction, useT } from '../../ui/index.ts'

/** Sends a test email with the stored settings; unsaved changes are not used. */
export const TestMail = () => {
  const t = useT()
  const { email } = useUser()
  const { language } = useSite()
  const send = useAction([], api.settings.testMail, { successKey: 'settings.testMail.done' })
  return (
    <FormDialog
      resource="settings"
      title={t('settings.testMail.title')}
      trigger={t('settings.testMail.open')}
      submitLabel={t('settings.testMail.action')}
      button={{ variant: 'outlined', color: 'inherit' }}
      schema={TestMailInput}
      initialValues={{ to: email, template: 'test', language }}
      submit={send}
    />
  )
}
