import { type Group, pickLimits } from '@hub/contract'
import { api, useAction } from '../../api/index.ts'
import { Toggle } from '../../ui/feedback/toggle.tsx'
import { Badge, type Column, Copyable, LimitsText, useT } from '../../ui/index.ts'

const YesNo = ({ value }: { value: boolean }) => (
  <Badge tone={value ? 'green' : 'gray'} label={value ? 'common.yes' : 'common.no'} />
)

/** Under 60 requests a minute are counted, from 60 on a bucket is filled: what the limit feels like differs. */
const Rate = ({ perMinute }: { perMinute: number }) => {
  const t = useT()
  const kind = t(perMinute < 60 ? 'groups.counter' : 'groups.bucket')
  return (
    <span>
      {t('groups.rate', { count: perMinute })} · {kind}
    </span>
  )
}

const EnableSwitch = ({ group }: { group: Group }) => {
  const t = useT()
  const toggle = useAction('groups', api.groups.toggle)
  const { id, name, symbol } = group
  return (
    <Toggle
      on={group.enable}
      label={t('groups.toggle', { name })}
      change={() => toggle({ id })}
      refusal={symbol === 'default' ? t('groups.builtIn') : undefined}
      confirmOff={{
        title: t('groups.disable.title', { name }),
        text: t('groups.disable.text'),
        verb: t('groups.disable.verb'),
      }}
    />
  )
}

export const columns: Column<Group>[] = [
  { key: 'id', width: 80 },
  { key: 'symbol', show: row => <Copyable text={row.symbol} /> },
  { key: 'name' },
  { key: 'ratio', align: 'right', show: row => `× ${row.ratio}` },
  { key: 'api_rate', show: row => <Rate perMinute={row.api_rate} /> },
  {
    key: 'limits',
    label: 'common.limits.label',
    sort: false,
    show: row => <LimitsText {...pickLimits(row)} />,
  },
  { key: 'public', show: row => <YesNo value={row.public} /> },
  { key: 'enable', show: row => <EnableSwitch group={row} /> },
]
