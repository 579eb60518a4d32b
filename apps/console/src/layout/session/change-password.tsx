import { Password } from '@hub/contract'
import { z } from 'zod'
import { api, useUser } from '../../api'
import { Card, Page, SchemaForm, useAction, useT } from '../../ui'

const Change = z.object({ current_password: z.string().min(1).max(128), password: Password })

/** The page shown instead of every other while the user still has a password that an administrator set. */
export const RequiredPasswordChange = () => {
  const t = useT()
  const user = useUser()
  const update = useAction('profile', api.profile.update, { successKey: 'profile.passwordChanged' })
  return (
    <Page title={t('profile.mustChange.title')} intro={t('profile.mustChange.text')} width={682}>
      <Card>
        {/* Tells password managers which account this password belongs to. */}
        <input type="text" autoComplete="username" value={user.username} readOnly hidden />
        <SchemaForm
          schema={Change}
          resource="profile"
          submit={update}
          submitLabel={t('profile.changePassword')}
          fieldOverrides={{
            current_password: { as: 'password', autoComplete: 'current-password' },
            password: { autoComplete: 'new-password' },
          }}
        />
      </Card>
    </Page>
  )
}
