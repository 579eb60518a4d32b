import type { User } from '@hub/contract'
import Button from '@mui/material/Button'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import { Link } from 'react-router'
import { api, query } from '../../api/index.ts'
import { loadTexts } from '../../locales/language.ts'
import { DataTable, DialogButton, Page, useDialog, useRecord, useT } from '../../ui/index.ts'
import { columns } from './columns.tsx'
import { CreateUser, EditUser } from './forms.tsx'
import { QuotaDialog } from './quota-dialog.tsx'
import { UserRecord } from './record.tsx'
import { RowActions } from './row-actions.tsx'

const SessionsDialog = lazy(async () => {
  const [{ SessionsDialog }] = await Promise.all([
    import('./sessions-dialog.tsx'),
    loadTexts('security'),
  ])
  return { default: SessionsDialog }
})

const useFilters = () => {
  const t = useT()
  const { data: symbols = [] } = useQuery(query(api.groups.symbols))
  return [
    { key: 'keyword', kind: 'text', labelKey: 'users.fields.keyword' },
    {
      key: 'role',
      kind: 'select',
      options: [1, 10, 100].map(value => ({ value, label: t(`users.roles.${value}`) })),
    },
    {
      key: 'status',
      kind: 'select',
      options: [1, 2].map(value => ({ value, label: t(`users.status.${value}`) })),
    },
    { key: 'group', kind: 'select', options: symbols.map(value => ({ value, label: value })) },
  ] as const
}

export const UsersPage = () => {
  const t = useT()
  const filters = useFilters()
  const edit = useDialog('edit')
  const quota = useDialog('quota')
  const sessions = useDialog('sessions')
  const editing = useRecord<User>(api.users, edit.id)
  const changing = useRecord<User>(api.users, quota.id)
  const signedIn = useRecord<User>(api.users, sessions.id)
  return (
    <Page
      title={t('users.title')}
      intro={t('users.intro')}
      primaryAction={<CreateUser />}
      actions={
        <Button component={Link} to="/panel/user/invitations" variant="outlined" color="inherit">
          {t('users.invitations')}
        </Button>
      }
    >
      <DataTable
        resource="users"
        list={api.users.list}
        get={api.users.get}
        columns={columns}
        filters={filters}
        card={{ title: row => row.username, fields: ['role', 'quota', 'status'] }}
        drawer={row => <UserRecord user={row} />}
        drawerTitle={row => row.username}
        rowActions={row => (
          <RowActions
            user={row}
            edit={() => edit.open(row.id)}
            changeQuota={() => quota.open(row.id)}
            showSessions={() => sessions.open(row.id)}
          />
        )}
        empty={{ action: <DialogButton address="create">{t('users.create')}</DialogButton> }}
      />
      {editing && <EditUser user={editing} onClose={edit.close} />}
      {changing && <QuotaDialog user={changing} onClose={quota.close} />}
      {signedIn && (
        <Suspense>
          <SessionsDialog user={signedIn} onClose={sessions.close} />
        </Suspense>
      )}
    </Page>
  )
}
