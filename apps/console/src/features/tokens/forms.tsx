import {
  limitNames,
  NewToken,
  pickLimits,
  type Token,
  TokenPatch,
  type TokenSetting,
} from '@hub/contract'
import { useQuery } from '@tanstack/react-query'
import { api, query } from '../../api/index.ts'
import { useAction } from '../../ui/index.ts'
import type { FieldOverride } from '../../ui/index.ts'
import { FormDialog, useT } from '../../ui/index.ts'
import { PointsInput, nullEmptyLimits, useLimitOverrides, useLimitsText } from '../../domain/index.ts'
import { useUser } from '../../api/index.ts'
import { ExpiryField, LimitsField } from './fields.tsx'

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
        <LimitsField
          {...{ id, set, error }}
          value={value as TokenSetting}
          models={Object.keys(models).toSorted()}
        />
      ),
    },
  }
}

const useSections = () => {
  const textOf = useLimitsText()
  const summary = (values: Record<string, unknown>) => {
    const { api_rate, ...rest } = values as Token
    return textOf({ ...pickLimits(rest), requests_per_minute: api_rate })
  }
  return [
    { id: 'basic', fields: ['name', 'expired_time', 'unlimited_quota', 'remain_quota', 'group'] },
    { id: 'rates', fields: ['api_rate', ...limitNames], folded: true, summary },
    { id: 'limits', fields: ['setting'], folded: true },
  ]
}

const send = <V extends Record<string, unknown>>(values: V) =>
  nullEmptyLimits({ ...values, api_rate: values.api_rate ?? null })

type CreateProps = {
  onMade: (token: Token) => void
  /** Given: it is open, and there is no button of its own. */
  onClose?: () => void
}

export const CreateToken = ({ onMade, onClose }: CreateProps) => {
  const t = useT()
  const fields = useFields()
  const sections = useSections()
  const create = useAction('tokens', api.tokens.create, { onSuccess: onMade })
  const title = t('tokens.create')
  return (
    <FormDialog
      resource="tokens"
      title={title}
      submitLabel={title}
      schema={NewToken}
      fieldOverrides={fields}
      sections={sections}
      transform={send}
      submit={create}
      {...(onClose ? { open: true, onClose } : {})}
    />
  )
}

export const EditToken = ({ token, onClose }: { token: Token; onClose: () => void }) => {
  const t = useT()
  const fields = useFields()
  const sections = useSections()
  const update = useAction('tokens', api.tokens.update, { successKey: 'tokens.saved' })
  return (
    <FormDialog
      resource="tokens"
      open
      onClose={onClose}
      title={t('tokens.edit', { name: token.name })}
      submitLabel={t('tokens.save')}
      schema={TokenPatch.omit({ status: true, status_only: true })}
      initialValues={token}
      fieldOverrides={{ ...fields, id: { hidden: true } }}
      sections={sections}
      transform={send}
      submit={update}
    />
  )
}
