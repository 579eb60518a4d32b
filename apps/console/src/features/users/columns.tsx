import type { User } from '@hub/contract'
import Box from '@mui/material/Box'
import Tooltip from '@mui/material/Tooltip'
import { api, useUser } from '../../api/index.ts'
import { Quota } from '../../domain/index.ts'
import { Toggle } from '../../ui/feedback/toggle.tsx'
import {
  Badge,
  type Column,
  PastTimestamp,
  type T,
  Timestamp,
  type Tone,
  useAction,
  useT,
} from '../../ui/index.ts'
import { manageRefusalOf } from './rank.ts'

const roleTones: Record<User['role'], Tone> = { 1: 'gray', 10: 'blue', 100: 'violet' }

export const RoleBadge = ({ role }: { role: User['role'] }) => (
  <Badge tone={roleTones[role]} labelKey={`users.roles.${role}`} />
)

const Name = ({ user }: { user: User }) => (
  <Box sx={{ lineHeight: 1.3 }}>
    <Box sx={{ fontWeight: 500 }}>{user.username}</Box>
    {user.display_name && user.display_name !== user.username && (
      <Box sx={{ fontSize: 12, color: 'text.secondary' }}>{user.display_name}</Box>
    )}
  </Box>
)

const Statistics = ({ user }: { user: User }) => {
  const t = useT()
  return (
    <Box sx={{ lineHeight: 1.3, whiteSpace: 'nowrap' }}>
      <Box>
        <Quota value={user.quota} />
      </Box>
      <Box sx={{ fontSize: 12, color: 'text.secondary' }}>
        {t('users.statistics.used')} <Quota value={user.used_quota} /> ·{' '}
        {t('users.statistics.requests', { count: user.request_count })}
      </Box>
    </Box>
  )
}

/** Accounts at third parties that sign the user in. */
export const identitiesOf = (t: T, user: User): [name: string, value: string][] => {
  const all: [string, string][] = [
    ['GitHub', user.github_id],
    ['OIDC', user.oidc_id],
    [t('users.bindings.wechat'), user.wechat_id],
    [t('users.bindings.lark'), user.lark_id],
    ['Telegram', user.telegram_id ? String(user.telegram_id) : ''],
  ]
  return all.filter(([, value]) => value !== '')
}

const Bindings = ({ user }: { user: User }) => {
  const t = useT()
  const email: [string, string][] = user.email ? [[t('users.fields.email'), user.email]] : []
  const bound = [...email, ...identitiesOf(t, user)]
  if (bound.length === 0)
    return <Box sx={{ color: 'text.secondary' }}>{t('users.bindings.none')}</Box>
  return (
    <Box sx={{ display: 'flex', gap: 0.75 }}>
      {bound.map(([name, value]) => (
        <Tooltip key={name} title={value}>
          <span>
            <Badge tone="green" text={name} />
          </span>
        </Tooltip>
      ))}
    </Box>
  )
}

const StatusSwitch = ({ user }: { user: User }) => {
  const t = useT()
  const me = useUser()
  const manage = useAction('users', api.users.manage)
  const refusalKey = manageRefusalOf(me, user)
  const name = user.username
  return (
    <Toggle
      checked={user.status === 1}
      label={`${t('users.fields.status')}: ${name}`}
      onChange={on => manage({ username: name, action: on ? 'enable' : 'disable' })}
      disabledReason={refusalKey && t(refusalKey)}
      confirmOff={{
        title: t('users.disable.title', { name }),
        text: t('users.disable.text'),
        confirmLabel: t('users.actions.disable'),
      }}
    />
  )
}

export const columns: Column<User>[] = [
  { key: 'id', width: 72 },
  { key: 'username', render: row => <Name user={row} /> },
  { key: 'role', render: row => <RoleBadge role={row.role} /> },
  { key: 'group' },
  {
    key: 'quota',
    align: 'right',
    labelKey: 'users.fields.statistics',
    render: row => <Statistics user={row} />,
  },
  { key: 'bindings', hidden: true, render: row => <Bindings user={row} /> },
  { key: 'created_time', render: row => <Timestamp at={row.created_time} /> },
  {
    key: 'last_login_time',
    render: row => <PastTimestamp at={row.last_login_time} fallbackKey="users.never" />,
  },
  { key: 'last_login_ip', hidden: true },
  { key: 'status', render: row => <StatusSwitch user={row} /> },
]
