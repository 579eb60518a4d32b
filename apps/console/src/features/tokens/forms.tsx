import {
  limitNames,
  NewToken,
  NewTokens,
  pickLimits,
  type Token,
  TokenPatch,
  type TokenSetting,
} from '@hub/contract'
import Stack from '@mui/material/Stack'
import { useQuery } from '@tanstack/react-query'
import { api, isAdmin, query, useUser } from '../../api/index.ts'
import {
  nullEmptyLimits,
  PointsInput,
  useLimitOverrides,
  useLimitsText,
} from '../../domain/index.ts'
import { CreateForm, type FieldOverride, useT } from '../../ui/index.ts'
import { BillingTagField, ExpiryField, HeartbeatField, LimitsField } from './fields.tsx'

const useFields = (): Record<string, FieldOverride> => {
  const t = useT()
  const me = useUser()
  const { data: groups = {} } = useQuery(query(api.groups.map))
  const { data: models = {} } = useQuery(query(api.models.available))
  const own = groups[me.group]
  const limits = useLimitOverrides('ofToken')
  const options = Object.values(groups).map(({ symbol, name, ratio }) => ({
    value: symbol,
    label: t('tokens.groupOption', { name, ratio }),
  }))
  const followed = t('tokens.followUser', { name: own?.name ?? me.group })
  return {
    group: { as: 'select', options: [{ value: '', label: followed }, ...options] },
    backup_group: {
      as: 'select',
      options: [{ value: '', label: t('tokens.noBackup') }, ...options],
    },
    unlimited_quota: { as: 'switch' },
    remain_quota: {
      control: PointsInput,
      showWhen: values => values.unlimited_quota === false,
    },
    expired_time: {
      render: ({ id, value, set, error }) => (
        <ExpiryField id={id} value={Number(value ?? -1)} set={set} invalid={Boolean(error)} />
      ),
    },
    api_rate: {
      as: 'number',
      label: t('common.limits.rate'),
      help: own
        ? t('common.limits.rateHelp', { rpm: own.api_rate })
        : t('common.limits.rateHelpPlain'),
    },
    ...limits,
    setting: {
      render: ({ id, value, set, error }) => (
        <Stack spacing={2}>
          <LimitsField
            {...{ id, set, error }}
            value={value as TokenSetting}
            models={Object.keys(models).toSorted()}
          />
          <HeartbeatField {...{ id, set, error }} value={value as TokenSetting} />
          {isAdmin(me) && <BillingTagField {...{ id, set }} value={value as TokenSetting} />}
        </Stack>
      ),
    },
  }
}

const useSections = () => {
  const me = useUser()
  const limitsText = useLimitsText()
  const summary = (values: Record<string, unknown>) => {
    const { api_rate, ...rest } = values as Token
    return limitsText({ ...pickLimits(rest), requests_per_minute: api_rate })
  }
  return [
    {
      id: 'basic',
      fields: [
        'name',
        'count',
        'expired_time',
        'unlimited_quota',
        'remain_quota',
        'group',
        'backup_group',
        'chat_cache',
      ],
    },
    { id: 'rates', fields: ['api_rate', ...limitNames], folded: true, summary },
    { id: isAdmin(me) ? 'limitsAndTag' : 'limits', fields: ['setting'], folded: true },
  ]
}

/** Empty limits are sent as null: a field that is left out would keep its old value. */
const clearEmptyLimits = <V extends Record<string, unknown>>(values: V) =>
  nullEmptyLimits({ ...values, api_rate: values.api_rate ?? null })

export const tokenForm = {
  create: NewToken,
  edit: TokenPatch.omit({ status: true, status_only: true }),
  transform: clearEmptyLimits,
  useOptions: () => ({ fieldOverrides: useFields(), sections: useSections() }),
}

/** The form of the token page, which creates several at once. */
export const tokensForm = { ...tokenForm, create: NewTokens }

type CreateProps = { onCreated: (token: Token) => void; onClose: () => void }

/** The create form as an open dialog, for pages other than the token list. */
export const CreateToken = ({ onCreated, onClose }: CreateProps) => (
  <CreateForm
    calls={api.tokens}
    form={tokenForm}
    onClose={onClose}
    onCreated={token => onCreated(token as Token)}
  />
)
