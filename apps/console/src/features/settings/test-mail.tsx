import { contract } from '@hub/contract'
import type { z } from 'zod'
import { api, useAction } from '../../api/index.ts'
import { FormDialog, useT, useUser } from '../../ui/index.ts'

const schema = contract.settings.endpoints.testMail.input as z.ZodObject

/** Sends by what is stored; what stands unsaved in the form is not tried. */
export const TestMail = () => {
  const t = useT()
  const { email } = useUser()
  const send = useAction([], api.settings.testMail, { done: 'settings.testMail.done' })
  return (
    <FormDialog
      of="settings"
      title={t('settings.testMail.title')}
      trigger={t('settings.testMail.open')}
      verb={t('settings.testMail.verb')}
      button={{ variant: 'outlined', color: 'inherit' }}
      schema={schema}
      initial={{ to: email }}
      submit={send}
    />
  )
}
