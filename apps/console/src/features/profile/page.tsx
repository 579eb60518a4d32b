import { OwnUsername, Password, ProfilePatch } from '@hub/contract'
import Box from '@mui/material/Box'
import Stack from '@mui/material/Stack'
import Typography from '@mui/material/Typography'
import { lazy, Suspense } from 'react'
import { z } from 'zod'
import { api, useSite, useUser } from '../../api'
import { canUsePasskeys } from '../../domain/sign-in/passkeys.ts'
import { ProofForm, type ProofShape } from '../../domain/sign-in/proof-form.tsx'
import { UserAvatar } from '../../layout/header/avatar.tsx'
import { loadTexts } from '../../locales/language.ts'
import { Card, Page, SchemaForm, useAction, useT } from '../../ui'
import { AccessToken } from './access-token.tsx'
import { EmailAddress } from './email.tsx'
import { SecondFactor } from './second-factor.tsx'

const Shown = ProfilePatch.pick({ display_name: true, avatar_url: true })
const renameOf = (proof: ProofShape) => z.object({ username: OwnUsername, ...proof })
const newPasswordOf = (proof: ProofShape) =>
  z
    .object({ ...proof, password: Password, again: z.string() })
    .refine(({ password, again }) => password === again, {
      path: ['again'],
      message: 'must be equal',
    })

const Passkeys = lazy(async () => {
  const [{ Passkeys }] = await Promise.all([import('./passkeys.tsx'), loadTexts('security')])
  return { default: Passkeys }
})

const AccountCards = lazy(async () => {
  const [{ AccountCards }] = await Promise.all([
    import('./account.tsx'),
    loadTexts('security', 'notifications'),
  ])
  return { default: AccountCards }
})

const Bindings = lazy(async () => {
  const [{ Bindings }] = await Promise.all([
    import('./bindings/bindings.tsx'),
    loadTexts('security'),
  ])
  return { default: Bindings }
})

/** One form per change; security-relevant changes require the current password. */
export const ProfilePage = () => {
  const t = useT()
  const user = useUser()
  const site = useSite()
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
            key={`${user.display_name} ${user.avatar_url}`}
            resource="profile"
            schema={Shown}
            submit={save}
            initialValues={{ display_name: user.display_name, avatar_url: user.avatar_url }}
            fieldOverrides={{
              display_name: { autoComplete: 'name' },
              avatar_url: { autoComplete: 'photo', placeholder: 'https://' },
            }}
          />
        </Card>
        <Card title={t('profile.changeUsername')}>
          <ProofForm
            key={user.username}
            endpoint={api.profile.update}
            schemaOf={renameOf}
            submit={rename}
            initialValues={{ username: user.username }}
            submitLabel={t('profile.changeUsername')}
            fieldOverrides={{ username: { autoComplete: 'username' } }}
          />
        </Card>
        <Card title={t('profile.changePassword')} intro={t('profile.passwordText')}>
          <ProofForm
            endpoint={api.profile.update}
            schemaOf={newPasswordOf}
            submit={change}
            transform={({ again: _, ...change }) => change}
            submitLabel={t('profile.changePassword')}
            fieldOverrides={{ again: { as: 'password' } }}
          />
        </Card>
        <EmailAddress />
        <SecondFactor />
        {(canUsePasskeys(site) || user.has_passkey) && (
          <Suspense>
            <Passkeys />
          </Suspense>
        )}
        <Suspense>
          <Bindings />
        </Suspense>
        <AccessToken />
        <Suspense>
          <AccountCards />
        </Suspense>
      </Stack>
    </Page>
  )
}
