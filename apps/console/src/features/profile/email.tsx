import { RequiredEmail } from '@hub/contract'
import Stack from '@mui/material/Stack'
import { useState } from 'react'
import { z } from 'zod'
import { api, useUser } from '../../api'
import { ProofForm } from '../../domain/sign-in/proof-form.tsx'
import { EmailCodeButton } from '../../layout/session/email-code.tsx'
import { Card, Field, useAction, useT } from '../../ui'
import { TextInput } from '../../ui/form/text-control.tsx'

const Code = z.string().trim().min(1).max(20)

/** Sets the e-mail address by a code that is sent to the new one. */
export const EmailAddress = () => {
  const t = useT()
  const user = useUser()
  const [email, setEmail] = useState('')
  const change = useAction('profile', api.profile.changeEmail, {
    successKey: 'profile.email.changed',
    onSuccess: () => setEmail(''),
  })
  return (
    <Card
      title={t('profile.email.title')}
      intro={
        user.email ? t('profile.email.current', { email: user.email }) : t('profile.email.none')
      }
    >
      <Stack spacing={2} sx={{ mb: 2 }}>
        <Field label={t('profile.email.new')}>
          {fieldProps => (
            <TextInput
              {...fieldProps}
              value={email}
              set={value => setEmail(String(value))}
              onBlur={() => undefined}
              kind="text"
              options={[]}
              autoComplete="email"
            />
          )}
        </Field>
        <EmailCodeButton email={email} />
      </Stack>
      {RequiredEmail.safeParse(email).success && (
        <ProofForm
          endpoint={api.profile.changeEmail}
          schemaOf={proof => z.object({ verification_code: Code, ...proof })}
          submit={change}
          transform={values => ({ ...values, email })}
          submitLabel={t('profile.email.change')}
          fieldOverrides={{ verification_code: { autoComplete: 'one-time-code' } }}
        />
      )}
    </Card>
  )
}
