import { pickLimits, type Token } from '@hub/contract'
import Box from '@mui/material/Box'
import { useQuery } from '@tanstack/react-query'
import type { ComponentType } from 'react'
import { api, query, useUser } from '../../api/index.ts'
import { LimitsText, ModelName, Quota } from '../../domain/index.ts'
import {
  type Column,
  Copyable,
  MonoText,
  PastTimestamp,
  statusColumn,
  Timestamp,
  useT,
} from '../../ui/index.ts'

/** The group whose prices and rate limit apply: the token's own group, or the user's. */
const TokenGroup = ({ symbol }: { symbol: string }) => {
  const t = useT()
  const me = useUser()
  const { data: groups = {} } = useQuery(query(api.groups.map))
  const group = groups[symbol || me.group]
  const name = group?.name ?? (symbol || me.group)
  return (
    <Box sx={{ lineHeight: 1.3, whiteSpace: { sm: 'nowrap' } }}>
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

/** The masked key. One that was imported by its hash says that nobody can show it. */
const TokenKey = ({ token }: { token: Token }) => {
  const t = useT()
  return (
    <Box sx={{ lineHeight: 1.3 }}>
      <MonoText text={token.key} />
      {!token.revealable && (
        <Box sx={{ fontSize: 12, color: 'text.secondary' }}>{t('tokens.notRevealable')}</Box>
      )}
    </Box>
  )
}

const Remaining = ({ token }: { token: Token }) => {
  const t = useT()
  return token.unlimited_quota ? (
    <Box component="span" sx={{ color: 'text.secondary' }}>
      {t('common.unlimited')}
    </Box>
  ) : (
    <Quota value={token.remain_quota} />
  )
}

/** The limits of a token. Its rate limit is the lower one of the token and its group. */
const TokenLimits = ({ token }: { token: Token }) => {
  const me = useUser()
  const { data: groups = {} } = useQuery(query(api.groups.map))
  const rates = [token.api_rate, groups[token.group || me.group]?.api_rate]
  const known = rates.filter(each => typeof each === 'number')
  const perMinute = known.length > 0 ? Math.min(...known) : null
  return <LimitsText {...pickLimits(token)} requests_per_minute={perMinute} />
}

type Restriction = {
  enabled: boolean
  values: readonly string[]
  Item?: ComponentType<{ name: string }>
}

const RestrictionText = ({ enabled, values, Item }: Restriction) => {
  const t = useT()
  if (enabled && Item && values.length > 0)
    return (
      <Box component="span" sx={{ display: 'inline-flex', flexWrap: 'wrap', columnGap: 1.5 }}>
        {values.map(each => (
          <Item key={each} name={each} />
        ))}
      </Box>
    )
  return enabled ? values.join(', ') || t('tokens.limits.nothing') : t('tokens.limits.none')
}

const mainColumns: Column<Token>[] = [
  {
    key: 'id',
    hidden: true,
    width: 72,
    detail: token => <Copyable text={String(token.id)} />,
  },
  { key: 'name', emphasized: true },
  { key: 'key', render: token => <TokenKey token={token} />, detail: token => token.key },
  statusColumn(api.tokens.update, {
    tones: { 1: 'green', 2: 'gray', 3: 'amber', 4: 'red' },
    disabledReasonKey: 'tokens.extendFirst',
  }),
  { key: 'group', render: token => <TokenGroup symbol={token.group} /> },
  { key: 'used_quota', align: 'right', render: token => <Quota value={token.used_quota} /> },
  { key: 'remain_quota', align: 'right', render: token => <Remaining token={token} /> },
  {
    key: 'limits',
    labelKey: 'common.limits.label',
    sort: false,
    hidden: true,
    render: token => <TokenLimits token={token} />,
  },
]

const restrictionColumns: Column<Token>[] = [
  {
    key: 'models',
    labelKey: 'tokens.limits.modelsLabel',
    render: ({ setting }) => {
      const { enabled, models } = setting.limits.limit_model_setting
      return <RestrictionText enabled={enabled} values={models} Item={ModelName} />
    },
  },
  {
    key: 'addresses',
    labelKey: 'tokens.limits.addressesLabel',
    render: ({ setting }) => {
      const { enabled, whitelist } = setting.limits.limits_ip_setting
      return <RestrictionText enabled={enabled} values={whitelist} />
    },
  },
]

const timeColumns: Column<Token>[] = [
  { key: 'expired_time', render: token => <Timestamp at={token.expired_time} /> },
  { key: 'created_time', hidden: true, render: token => <Timestamp at={token.created_time} /> },
  {
    key: 'accessed_time',
    hidden: true,
    render: token => <PastTimestamp at={token.accessed_time} fallbackKey="tokens.unused" />,
  },
]

export const columns = [...mainColumns, ...timeColumns]
export const detailColumns = [...mainColumns, ...restrictionColumns, ...timeColumns]
