import type { Token } from '@hub/contract'
import { Copyable, KeyValue, useT, Timestamp } from '../../ui/index.ts'
import { Quota } from '../../domain/index.ts'
import { PastTimestamp } from '../../ui/values/past.tsx'
import { Remaining, StatusBadge, TokenGroup, TokenLimits } from './columns.tsx'

/** Everything that is known of a token, but not its key. */
export const TokenRecord = ({ token }: { token: Token }) => {
  const t = useT()
  const label = (key: keyof Token) => t(`tokens.fields.${key}`)
  const { limit_model_setting: models, limits_ip_setting: addresses } = token.setting.limits
  const list = (names: readonly string[], enabled: boolean) =>
    enabled ? names.join(', ') || t('tokens.limits.nothing') : t('tokens.limits.none')
  return (
    <KeyValue
      rows={[
        [label('id'), <Copyable key="id" text={String(token.id)} />],
        [label('name'), token.name],
        [label('key'), token.key],
        [label('status'), <StatusBadge key="status" status={token.status} />],
        [label('group'), <TokenGroup key="group" symbol={token.group} />],
        [label('used_quota'), <Quota key="used" value={token.used_quota} />],
        [label('remain_quota'), <Remaining key="left" token={token} />],
        [t('common.limits.label'), <TokenLimits key="limits" token={token} />],
        [t('tokens.limits.modelsLabel'), list(models.models, models.enabled)],
        [t('tokens.limits.addressesLabel'), list(addresses.whitelist, addresses.enabled)],
        [label('expired_time'), <Timestamp key="expires" at={token.expired_time} />],
        [label('created_time'), <Timestamp key="created" at={token.created_time} />],
        [
          label('accessed_time'),
          <PastTimestamp key="used-at" at={token.accessed_time} fallbackKey="tokens.unused" />,
        ],
      ]}
    />
  )
}
