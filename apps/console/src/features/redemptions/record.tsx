import type { Redemption } from '@hub/contract'
import { Copyable, KeyValue, useT, Timestamp } from '../../ui/index.ts'
import { Quota } from '../../domain/index.ts'
import { Redeemed, StatusBadge } from './columns.tsx'

export const RedemptionRecord = ({ code }: { code: Redemption }) => {
  const t = useT()
  const label = (key: keyof Redemption) => t(`redemptions.fields.${key}`)
  return (
    <KeyValue
      rows={[
        [label('id'), code.id],
        [label('name'), code.name],
        [label('key'), <Copyable key="key" text={code.key} what={label('key')} />],
        [label('status'), <StatusBadge key="status" status={code.status} />],
        [label('quota'), <Quota key="quota" value={code.quota} />],
        [label('expired_time'), <Timestamp key="expires" at={code.expired_time} />],
        [label('created_time'), <Timestamp key="created" at={code.created_time} />],
        [label('redeemed_time'), <Redeemed key="redeemed" code={code} />],
      ]}
    />
  )
}
