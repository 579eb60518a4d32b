import type { NewSiteTarget, NotificationTarget, NotifierType } from '@hub/contract'
import { useTranslation } from 'react-i18next'
import type { z } from 'zod'
import { type FieldOverride, FormDialog, useAction, useT } from '../../ui/index.ts'
import { integrationOverrides } from '../integration-config.tsx'
import { EventChoice } from './event-choice.tsx'
import { type Scope, scopes } from './scope.ts'
import { useTypes } from './use-types.ts'

type TargetValues = z.output<typeof NewSiteTarget>

const languageNames = [
  { value: 'zh_CN', label: '简体中文' },
  { value: 'zh_HK', label: '繁體中文' },
  { value: 'en_US', label: 'English' },
  { value: 'ja_JP', label: '日本語' },
]

const overridesOf = (
  scope: Scope,
  types: readonly NotifierType[],
  emptyText: string,
  stored?: NotificationTarget,
): Partial<Record<string, FieldOverride>> => ({
  ...integrationOverrides({ resource: 'notifications', types, stored, emptyText }),
  events: {
    render: ({ value, set, label }) => (
      <EventChoice
        events={scopes[scope].events}
        value={(value ?? []) as string[]}
        set={set}
        label={label}
      />
    ),
  },
  language: { as: 'select', options: languageNames },
  quiet_from: { placeholder: '22:00' },
  quiet_to: { placeholder: '08:00' },
})

const sections = [
  { id: 'config', fields: ['config'] },
  { id: 'events', fields: ['events'] },
  {
    id: 'schedule',
    fields: ['language', 'digest', 'quiet_from', 'quiet_to', 'enabled'],
    folded: true,
  },
] as const

export const CreateTarget = ({ scope }: { scope: Scope }) => {
  const t = useT()
  const { i18n } = useTranslation()
  const types = useTypes(scope)
  const { resource, api, schema } = scopes[scope]
  const create = useAction(resource, api.create, { successKey: 'notifications.created' })
  const language = languageNames.find(each => each.value === i18n.language)?.value
  const title = t('notifications.create')
  return (
    <FormDialog
      resource="notifications"
      address="create"
      title={title}
      submitLabel={title}
      schema={schema}
      submit={create}
      sections={sections}
      initialValues={{
        type: types[0]?.type ?? 'email',
        config: {},
        language: (language ?? 'en_US') as TargetValues['language'],
      }}
      fieldOverrides={overridesOf(scope, types, t('notifications.ownAddress'))}
    />
  )
}

type EditProps = { scope: Scope; target: NotificationTarget; close: () => void }

export const EditTarget = ({ scope, target, close }: EditProps) => {
  const t = useT()
  const types = useTypes(scope)
  const { resource, api, schema } = scopes[scope]
  const update = useAction(resource, api.update, { successKey: 'common.saved' })
  return (
    <FormDialog
      open
      onClose={close}
      resource="notifications"
      title={t('notifications.edit', { name: target.name })}
      submitLabel={t('notifications.save')}
      schema={schema}
      submit={update}
      sections={sections}
      initialValues={target as z.input<typeof NewSiteTarget>}
      transform={({ type: _, ...values }: TargetValues) => ({ id: target.id, ...values })}
      fieldOverrides={overridesOf(scope, types, t('notifications.ownAddress'), target)}
    />
  )
}
