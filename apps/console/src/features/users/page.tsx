import type { User } from '@hub/contract'
import { useState } from 'react'
import { api } from '../../api/index.ts'
import { DataTable, Page, useT } from '../../ui/index.ts'
import { columns } from './columns.tsx'
import { CreateUser, EditUser } from './forms.tsx'
import { QuotaDialog } from './quota-dialog.tsx'
import { UserRecord } from './record.tsx'
import { RowActions } from './row-actions.tsx'

export const UsersPage = () => {
  const t = useT()
  const [editing, setEditing] = useState<User>()
  const [changing, setChanging] = useState<User>()
  return (
    <Page title={t('users.title')} intro={t('users.intro')} primaryAction={<CreateUser />}>
      <DataTable
        resource="users"
        list={api.users.list}
        columns={columns}
        filters={[{ key: 'keyword', kind: 'text', labelKey: 'users.fields.keyword' }]}
        card={{ title: row => row.username, fields: ['role', 'quota', 'status'] }}
        drawer={row => <UserRecord user={row} />}
        drawerTitle={row => row.username}
        rowActions={row => (
          <RowActions
            user={row}
            edit={() => setEditing(row)}
            changeQuota={() => setChanging(row)}
          />
        )}
        empty={{ action: <CreateUser /> }}
      />
      {editing && <EditUser user={editing} onClose={() => setEditing(undefined)} />}
      {changing && <QuotaDialog user={changing} onClose={() => setChanging(undefined)} />}
    </Page>
  )
}
