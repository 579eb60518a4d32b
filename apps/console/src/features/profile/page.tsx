import { Password, ProfilePatch, Username } from '@hub/contract'
import Box from '@mui/material/Box'
import Stack from '@mui/material/Stack'
import Typography from '@mui/material/Typography'
import { z } from 'zod'
import { api, useAction } from '../../api'
import { Face } from '../../layout/header/avatar.tsx'
import { Card, Page, SchemaForm, useT, useUser } from '../../ui'
import { AccessToken } from './access-token.tsx'

const Name = ProfilePatch.pick({ display_name: true })
const Current = z.string().min(1).max(128)
const Rename = z.object({ username: Username, current_password: Current })
const NewPassword = z
  .object({ current_password: Current, password: Password, again: z.string() })
  .refine(({ password, again }) => password === again, {
    path: ['again'],
    message: 'must be equal',
  })

const current = { as: 'password', autoComplete: 'current-password' } as const

/** Each thing that can be changed is a form of its own, with the sign-in password where it matters. */
export const ProfilePage = () => {
  const t = useT()
  const user = useUser()
  const save = useAction('profile', api.profile.update, { done: 'common.saved' })
  const rename = useAction('profile', api.profile.update, { done: 'profile.usernameChanged' })
  const change = useAction('profile', api.profile.update, { done: 'profile.passwordChanged' })
  return (
    <Page title={t('profile.title')} width={682}>
      <Stack spacing={2}>
        <Card>
          <Stack direction="row" spacing={2} sx={{ alignItems: 'center', mb: 3 }}>
            <Face user={user} size={64} />
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
            of="profile"
            schema={Name}
            submit={save}
            initial={{ display_name: user.display_name }}
            fields={{ display_name: { autoComplete: 'name' } }}
          />
        </Card>
        <Card title={t('profile.changeUsername')}>
          <SchemaForm
            key={user.username}
            of="profile"
            schema={Rename}
            submit={rename}
            initial={{ username: user.username }}
            verb={t('profile.changeUsername')}
            fields={{ username: { autoComplete: 'username' }, current_password: current }}
          />
        </Card>
        <Card title={t('profile.changePassword')} intro={t('profile.passwordText')}>
          <SchemaForm
            of="profile"
            schema={NewPassword}
            submit={change}
            transform={({ current_password, password }) => ({ current_password, password })}
            verb={t('profile.changePassword')}
            fields={{ current_password: current, again: { as: 'password' } }}
          />
        </Card>
        <AccessToken />
      </Stack>
    </Page>
  )
}
