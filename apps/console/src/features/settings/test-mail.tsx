import { contract } from '@hub/contract'
import type { z } from 'zod'
import { api, useUser } from '../../api/index.ts'
import { FormDialog, useAction, useT } from '../../ui/index.ts'

const schema = contract.settings.endpoints.testMail.input as z.ZodObject

/** Sends a test email with the stored settings; unsaved changes are not used. */
export const TestMail = () => {
  const t = useT()
  const { email } = useUser()
  const send = useAction([], api.settings.testMail, { successKey: 'settings.testMail.done' })
  return (
    <FormDialog
      resource="settings"
      title={t('settings.testMail.title')}
      trigger={t('settings.testMail.open')}
      submitLabel={t('settings.testMail.action')}
      button={{ variant: 'outlined', color: 'inherit' }}
      schema={schema}
      initialValues={{ to: email }}
      submit={send}
    />
  )
}
