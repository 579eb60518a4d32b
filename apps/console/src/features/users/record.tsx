import type { User } from '@hub/contract'
import Alert from '@mui/material/Alert'
import { Quota } from '../../domain/index.ts'
import {
  Badge,
  Copyable,
  formatCount,
  KeyValue,
  PastTimestamp,
  Timestamp,
  useT,
} from '../../ui/index.ts'
import { identitiesOf, RoleBadge } from './columns.tsx'

/** All details of a user. */
export const UserRecord = ({ user }: { user: User }) => {
  const t = useT()
  const label = (key: keyof User) => t(`users.fields.${key}`)
  return (
    <>
      {user.must_change_password && (
        <Alert severity="info" variant="outlined" sx={{ mb: 2 }}>
          {t('users.mustChange')}
        </Alert>
      )}
      <KeyValue
        rows={[
          [label('id'), <Copyable key="id" text={String(user.id)} />],
          [label('username'), <Copyable key="name" text={user.username} />],
          [label('display_name'), user.display_name || '–'],
          [label('email'), user.email ? <Copyable key="email" text={user.email} /> : '–'],
          [label('role'), <RoleBadge key="role" role={user.role} />],
          [
            label('status'),
            <Badge
              key="status"
              tone={user.status === 1 ? 'green' : 'gray'}
              labelKey={`users.status.${user.status}`}
            />,
          ],
          [label('group'), user.group],
          [label('quota'), <Quota key="quota" value={user.quota} />],
          [label('used_quota'), <Quota key="used" value={user.used_quota} />],
          [label('request_count'), formatCount(user.request_count)],
          ...identitiesOf(t, user).map(
            ([name, value]) => [name, <Copyable key={name} text={value} />] as const,
          ),
          [label('aff_code'), user.aff_code || '–'],
          [label('aff_count'), String(user.aff_count)],
          [label('aff_quota'), <Quota key="aff" value={user.aff_quota} />],
          [label('inviter_id'), user.inviter_id ? String(user.inviter_id) : '–'],
          [label('has_access_token'), t(user.has_access_token ? 'common.yes' : 'common.no')],
          [label('has_second_factor'), t(user.has_second_factor ? 'common.yes' : 'common.no')],
          [label('has_passkey'), t(user.has_passkey ? 'common.yes' : 'common.no')],
          [label('created_time'), <Timestamp key="created" at={user.created_time} />],
          [
            label('last_login_time'),
            <PastTimestamp key="login" at={user.last_login_time} fallbackKey="users.never" />,
          ],
          [label('last_login_ip'), user.last_login_ip || '–'],
        ]}
      />
    </>
  )
}
