import { CurrentPassword, OwnUsername, Password, ProfilePatch } from '@hub/contract'
import Box from '@mui/material/Box'
import Stack from '@mui/material/Stack'
import Typography from '@mui/material/Typography'
import { z } from 'zod'
import { api, useUser } from '../../api'
import { UserAvatar } from '../../layout/header/avatar.tsx'
import { Card, Page, SchemaForm, useAction, useT } from '../../ui'
import { AccessToken } from './access-token.tsx'

const Name = ProfilePatch.pick({ display_name: true })
const Rename = z.object({ username: OwnUsername, current_password: CurrentPassword })
const NewPassword = z
  .object({ current_password: CurrentPassword, password: Password, again: z.string() })
  .refine(({ password, again }) => password === again, {
    path: ['again'],
    message: 'must be equal',
  })

const current = { as: 'password', autoComplete: 'current-password' } as const

/** One form per change; security-relevant changes require the current password. */
export const ProfilePage = () => {
  const t = useT()
  const user = useUser()
  const save = useAction('profile', api.profile.update, { successKey: 'common.saved' })
  const rename = useAction('profile', api.profile.update, { successKey: 'profile.usernameChanged' })
  const change = useAction('profile', api.profile.update, { successKey: 'profile.passwordChanged' })
  return (
    <Page title={t('profile.title')} width={682}>
      <Stack spacing={2}>
        <Card>
          <Stack direction="row" spacing={2} sx={{ alignItems: 'center', mb: 3 }}>
            <UserAvatar user={user} size={64} />
            <Box sx={{ minWidth: 0 }}>
              <Typography variant="h3" component="p" noWrap>
                {user.display_name || user.username}
              </Typography>
              <Typography variant="body2" sx={{ color: 'text.secondary' }} noWrap>
                {user.username}
                {user.email && ` · ${user.email}`}
              </Typography>
            </Box>
          </Stack>
          <SchemaForm
            key={user.display_name}
            resource="profile"
            schema={Name}
            submit={save}
            initialValues={{ display_name: user.display_name }}
            fieldOverrides={{ display_name: { autoComplete: 'name' } }}
          />
        </Card>
        <Card title={t('profile.changeUsername')}>
          <SchemaForm
            key={user.username}
            resource="profile"
            schema={Rename}
            submit={rename}
            initialValues={{ username: user.username }}
            submitLabel={t('profile.changeUsername')}
            fieldOverrides={{ username: { autoComplete: 'username' }, current_password: current }}
          />
        </Card>
        <Card title={t('profile.changePassword')} intro={t('profile.passwordText')}>
          <SchemaForm
            resource="profile"
            schema={NewPassword}
            submit={change}
            transform={({ current_password, password }) => ({ current_password, password })}
            submitLabel={t('profile.changePassword')}
            fieldOverrides={{ current_password: current, again: { as: 'password' } }}
          />
        </Card>
        <AccessToken />
      </Stack>
    </Page>
  )
}
