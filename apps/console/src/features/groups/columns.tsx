import { type Group, pickLimits } from '@hub/contract'
import { api } from '../../api/index.ts'
import { LimitsText } from '../../domain/index.ts'
import { Toggle } from '../../ui/feedback/toggle.tsx'
import { Badge, type Column, Copyable, OneLine, type T, useAction, useT } from '../../ui/index.ts'

const YesNo = ({ value }: { value: boolean }) => (
  <Badge tone={value ? 'green' : 'gray'} labelKey={value ? 'common.yes' : 'common.no'} />
)

/** The rate limit and its algorithm: a counter below 60 requests per minute, a token bucket from 60 on. */
const Rate = ({ perMinute }: { perMinute: number }) => {
  const t = useT()
  const kind = t(perMinute < 60 ? 'groups.counter' : 'groups.bucket')
  return (
    <OneLine>
      {t('groups.rate', { count: perMinute })} · {kind}
    </OneLine>
  )
}

/** The amount of top-ups that leads to a group. */
export const promotionText = (t: T, { promotion, min, max }: Group): string => {
  if (!promotion) return ''
  return max ? t('groups.promotionBetween', { min, max }) : t('groups.promotionRange', { min })
}

const Promotion = ({ group }: { group: Group }) => (
  <span>{promotionText(useT(), group) || '–'}</span>
)

const EnableSwitch = ({ group }: { group: Group }) => {
  const t = useT()
  const toggle = useAction('groups', api.groups.toggle)
  const { id, name, symbol } = group
  return (
    <Toggle
      checked={group.enable}
      label={t('groups.toggle', { name })}
      onChange={() => toggle({ id })}
      disabledReason={symbol === 'default' ? t('groups.builtIn') : undefined}
      confirmOff={{
        title: t('groups.disable.title', { name }),
        text: t('groups.disable.text'),
        confirmLabel: t('groups.disable.action'),
      }}
    />
  )
}

export const columns: Column<Group>[] = [
  { key: 'id', width: 80 },
  { key: 'symbol', render: row => <Copyable text={row.symbol} /> },
  { key: 'name' },
  { key: 'ratio', align: 'right', render: row => `× ${row.ratio}` },
  { key: 'api_rate', render: row => <Rate perMinute={row.api_rate} /> },
  {
    key: 'limits',
    labelKey: 'common.limits.label',
    sort: false,
    render: row => <LimitsText {...pickLimits(row)} />,
  },
  {
    key: 'promotion',
    sort: false,
    hidden: true,
    render: row => <Promotion group={row} />,
  },
  { key: 'public', render: row => <YesNo value={row.public} /> },
  { key: 'enable', render: row => <EnableSwitch group={row} /> },
]
