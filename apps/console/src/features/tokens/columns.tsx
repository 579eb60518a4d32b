import { pickLimits, type Token } from '@hub/contract'
import Box from '@mui/material/Box'
import { useQuery } from '@tanstack/react-query'
import { api, query } from '../../api/index.ts'
import { useAction } from '../../ui/index.ts'
import { Toggle } from '../../ui/feedback/toggle.tsx'
import { Badge, type Column, type Tone, useT, Timestamp } from '../../ui/index.ts'
import { LimitsText, Quota } from '../../domain/index.ts'
import { useUser } from '../../api/index.ts'
import { mono } from '../../ui/theme.ts'
import { PastTimestamp } from '../../ui/values/past.tsx'

const tones: Record<Token['status'], Tone> = { 1: 'green', 2: 'gray', 3: 'amber', 4: 'red' }

export const StatusBadge = ({ status }: { status: Token['status'] }) => (
  <Badge tone={tones[status]} labelKey={`tokens.status.${status}`} />
)

/** Expired and exhausted come and go by themselves: only the other two are switched by hand. */
const Status = ({ token }: { token: Token }) => {
  const t = useT()
  const update = useAction('tokens', api.tokens.update)
  const byItself = token.status === 3 || token.status === 4
  const change = (on: boolean) => update({ id: token.id, status: on ? 1 : 2 })
  return (
    <Box sx={{ display: 'flex', alignItems: 'center', gap: 0.5 }}>
      <Toggle
        checked={token.status === 1}
        label={`${t('tokens.fields.status')}: ${token.name}`}
        onChange={change}
        disabledReason={byItself ? t('tokens.extendFirst') : undefined}
      />
      {token.status !== 1 && <StatusBadge status={token.status} />}
    </Box>
  )
}

/** The group whose prices and rate apply: the token's own, or the user's. */
export const TokenGroup = ({ symbol }: { symbol: string }) => {
  const t = useT()
  const me = useUser()
  const { data: groups = {} } = useQuery(query(api.groups.map))
  const group = groups[symbol || me.group]
  const name = group?.name ?? (symbol || me.group)
  return (
    <Box sx={{ lineHeight: 1.3 }}>
      <Box>
        {name}
        {group && (
          <Box component="span" sx={{ color: 'text.secondary' }}>{` × ${group.ratio}`}</Box>
        )}
      </Box>
      {symbol === '' && (
        <Box sx={{ fontSize: 12, color: 'text.secondary' }}>{t('tokens.ofUser')}</Box>
      )}
    </Box>
  )
}

export const Remaining = ({ token }: { token: Token }) => {
  const t = useT()
  return token.unlimited_quota ? (
    <Box component="span" sx={{ color: 'text.secondary' }}>
      {t('common.unlimited')}
    </Box>
  ) : (
    <Quota value={token.remain_quota} />
  )
}

/** The tighter of the token's own rate and its group's is the one that is felt. */
export const TokenLimits = ({ token }: { token: Token }) => {
  const me = useUser()
  const { data: groups = {} } = useQuery(query(api.groups.map))
  const rates = [token.api_rate, groups[token.group || me.group]?.api_rate]
  const known = rates.filter(each => typeof each === 'number')
  const perMinute = known.length > 0 ? Math.min(...known) : null
  return <LimitsText {...pickLimits(token)} requests_per_minute={perMinute} />
}

export const columns: Column<Token>[] = [
  { key: 'id', hidden: true, width: 72 },
  { key: 'name', render: row => <Box sx={{ fontWeight: 500 }}>{row.name}</Box> },
  {
    key: 'key',
    render: row => (
      <Box component="span" sx={{ fontFamily: mono, fontSize: 12, whiteSpace: 'nowrap' }}>
        {row.key}
      </Box>
    ),
  },
  { key: 'status', render: row => <Status token={row} /> },
  { key: 'group', render: row => <TokenGroup symbol={row.group} /> },
  { key: 'used_quota', align: 'right', render: row => <Quota value={row.used_quota} /> },
  { key: 'remain_quota', align: 'right', render: row => <Remaining token={row} /> },
  {
    key: 'limits',
    labelKey: 'common.limits.label',
    sort: false,
    hidden: true,
    render: row => <TokenLimits token={row} />,
  },
  { key: 'expired_time', render: row => <Timestamp at={row.expired_time} /> },
  { key: 'created_time', hidden: true, render: row => <Timestamp at={row.created_time} /> },
  {
    key: 'accessed_time',
    hidden: true,
    render: row => <PastTimestamp at={row.accessed_time} fallbackKey="tokens.unused" />,
  },
]
