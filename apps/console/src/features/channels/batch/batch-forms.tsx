import { ChannelFields } from '@hub/contract'
import { useQuery } from '@tanstack/react-query'
import { z } from 'zod'
import { api, query } from '../../../api/index.ts'
import { splitNames } from '../../../ui/form/names.ts'
import { NamesField } from '../../../ui/form/names-field.tsx'
import { type FieldOverride, FormDialog, useT } from '../../../ui/index.ts'
import { joinNames } from '../form/stored-text.ts'
import { useGroupSymbols } from '../queries.ts'
import type { BatchCall, BatchForm } from './use-batch.ts'

type BatchFormProps = {
  count: number
  onClose: () => void
  send: (call: BatchCall) => Promise<boolean>
}

/** The form for one kind of change of the chosen channels. */
export const BatchForms = ({ form, ...props }: BatchFormProps & { form: BatchForm }) => {
  if (form === 'models') return <ModelsForm {...props} />
  return form === 'groups' ? <GroupsForm {...props} /> : <VersionForm {...props} />
}

const actions = ['add', 'remove', 'replace'] as const
const Action = z.enum(actions)
const ModelsChange = z.object({ action: Action, models: ChannelFields.shape.models })
const GroupsChange = z.object({ action: Action, group: z.string().min(1).max(1000) })
const VersionChange = z.object({ version: z.string().trim().min(1).max(100) })

const useActionField = (): FieldOverride => {
  const t = useT()
  return {
    as: 'select',
    label: t('channels.batch.action'),
    options: actions.map(value => ({ value, label: t(`channels.batch.actions.${value}`) })),
  }
}

const useNamesField = (options: readonly string[], closed: boolean): FieldOverride => ({
  render: ({ id, describedBy, error, label, value, set }) => (
    <NamesField
      {...{ id, describedBy, label, options, closed }}
      invalid={Boolean(error)}
      value={splitNames(String(value ?? ''))}
      set={names => set(joinNames(names))}
    />
  ),
})

const ModelsForm = ({ count, onClose, send }: BatchFormProps) => {
  const t = useT()
  const { data: priced } = useQuery(query(api.channels.models))
  return (
    <FormDialog
      resource="channels"
      open
      onClose={onClose}
      title={t('channels.batch.modelsTitle', { count })}
      submitLabel={t('common.save')}
      schema={ModelsChange}
      initialValues={{ action: 'add', models: '' }}
      fieldOverrides={{
        action: useActionField(),
        models: useNamesField(priced?.data.map(each => each.id) ?? [], false),
      }}
      submit={({ action, models }) => send(ids => api.channels.setModels({ ids, action, models }))}
    />
  )
}

const GroupsForm = ({ count, onClose, send }: BatchFormProps) => {
  const t = useT()
  const groups = useGroupSymbols()
  return (
    <FormDialog
      resource="channels"
      open
      onClose={onClose}
      title={t('channels.batch.groupsTitle', { count })}
      submitLabel={t('common.save')}
      schema={GroupsChange}
      initialValues={{ action: 'add', group: '' }}
      fieldOverrides={{ action: useActionField(), group: useNamesField(groups, true) }}
      submit={({ action, group }) => send(ids => api.channels.setGroups({ ids, action, group }))}
    />
  )
}

const VersionForm = ({ count, onClose, send }: BatchFormProps) => {
  const t = useT()
  return (
    <FormDialog
      resource="channels"
      open
      onClose={onClose}
      title={t('channels.batch.versionTitle', { count })}
      submitLabel={t('common.save')}
      schema={VersionChange}
      initialValues={{ version: '' }}
      fieldOverrides={{
        version: {
          label: t('channels.batch.versionField'),
          help: t('channels.batch.versionHelp'),
          placeholder: '2024-10-21',
        },
      }}
      submit={({ version }) => send(ids => api.channels.setApiVersions({ ids, value: version }))}
    />
  )
}
