import { type Group, GroupPatch, limitNames, NewGroup, pickLimits } from '@hub/contract'
import DeleteIcon from '@mui/icons-material/DeleteOutlined'
import EditIcon from '@mui/icons-material/EditOutlined'
import { useState } from 'react'
import { api, errorText, isApiError } from '../../api/index.ts'
import { useAction } from '../../ui/index.ts'
import { DisabledReason } from '../../ui/feedback/disabled-reason.tsx'
import { ActionItem, ConfirmItem, DataTable, FormDialog, notify, Page, RowMenu, useT } from '../../ui/index.ts'
import { nullEmptyLimits, useLimitOverrides, useLimitsText } from '../../domain/index.ts'
import { columns } from './columns.tsx'

const fields = {
  ratio: { as: 'number' },
  api_rate: { as: 'number' },
  public: { as: 'switch' },
  enable: { as: 'switch' },
} as const

const useLook = () => {
  const limits = useLimitOverrides('ofGroup')
  const textOf = useLimitsText()
  return {
    fields: { ...fields, ...limits },
    sections: [
      {
        id: 'rates',
        fields: limitNames,
        folded: true,
        summary: (values: Record<string, unknown>) => textOf(pickLimits(values as Group)),
      },
    ],
    transform: nullEmptyLimits,
  }
}

const CreateGroup = () => {
  const t = useT()
  const look = useLook()
  const create = useAction('groups', api.groups.create, { successKey: 'groups.created' })
  const title = t('groups.create')
  return (
    <FormDialog
      resource="groups"
      title={title}
      submitLabel={title}
      schema={NewGroup}
      {...look}
      submit={create}
    />
  )
}

const EditGroup = ({ group, onClose }: { group: Group; onClose: () => void }) => {
  const t = useT()
  const look = useLook()
  const update = useAction('groups', api.groups.update, { successKey: 'groups.saved' })
  return (
    <FormDialog
      resource="groups"
      open
      onClose={onClose}
      title={t('groups.edit', { name: group.name })}
      submitLabel={t('groups.save')}
      schema={GroupPatch}
      initialValues={group}
      {...look}
      fieldOverrides={{ ...look.fields, id: { hidden: true } }}
      submit={update}
    />
  )
}

const RowActions = ({ group, edit }: { group: Group; edit: () => void }) => {
  const t = useT()
  const remove = useAction('groups', api.groups.remove, { successKey: 'groups.removed' })
  const { id, name } = group
  const tryRemove = () =>
    remove.attempt({ id }).catch((error: unknown) => {
      const inUse = isApiError(error) && error.code === 'resource.in_use'
      notify.error(inUse ? t('groups.inUse', { name }) : errorText(t, error).text)
    })
  return (
    <RowMenu label={name}>
      <ActionItem icon={<EditIcon />} onClick={edit}>
        {t('common.edit')}
      </ActionItem>
      {group.symbol === 'default' ? (
        <ActionItem icon={<DeleteIcon />} disabled onClick={() => undefined}>
          <DisabledReason reason={t('groups.builtIn')}>{t('common.delete')}</DisabledReason>
        </ActionItem>
      ) : (
        <ConfirmItem
          icon={<DeleteIcon />}
          title={t('groups.remove.title', { name })}
          text={t('groups.remove.text')}
          onConfirm={tryRemove}
        >
          {t('common.delete')}
        </ConfirmItem>
      )}
    </RowMenu>
  )
}

export const GroupsPage = () => {
  const t = useT()
  const [editing, setEditing] = useState<Group>()
  return (
    <Page title={t('groups.title')} intro={t('groups.intro')} primaryAction={<CreateGroup />}>
      <DataTable
        resource="groups"
        list={api.groups.list}
        columns={columns}
        filters={[
          { key: 'keyword', kind: 'text', labelKey: 'groups.fields.keyword' },
          {
            key: 'enable',
            kind: 'select',
            options: [
              { value: 'true', label: t('common.enabled') },
              { value: 'false', label: t('common.disabled') },
            ],
          },
        ]}
        card={{ title: row => row.name, fields: ['ratio', 'api_rate', 'enable'] }}
        rowActions={row => <RowActions group={row} edit={() => setEditing(row)} />}
        empty={{ action: <CreateGroup /> }}
      />
      {editing && <EditGroup group={editing} onClose={() => setEditing(undefined)} />}
    </Page>
  )
}
