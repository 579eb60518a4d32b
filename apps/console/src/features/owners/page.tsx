import { NewOwner, type Owner } from '@hub/contract'
import DeleteIcon from '@mui/icons-material/DeleteOutlined'
import EditIcon from '@mui/icons-material/EditOutlined'
import { useState } from 'react'
import { api } from '../../api/index.ts'
import { useAction } from '../../ui/index.ts'
import { DisabledReason } from '../../ui/feedback/disabled-reason.tsx'
import {
  ActionItem,
  ConfirmItem,
  DataTable,
  type FieldOverride,
  FormDialog,
  Page,
  RowMenu,
  useT,
} from '../../ui/index.ts'
import { columns, isBuiltIn } from './columns.tsx'
import { IconField } from './icon-field.tsx'

const fields: Record<string, FieldOverride> = {
  icon: {
    render: ({ id, value, set, error }) => (
      <IconField id={id} value={String(value ?? '')} set={set} invalid={Boolean(error)} />
    ),
  },
}

const CreateOwner = () => {
  const t = useT()
  const create = useAction('owners', api.owners.create, { successKey: 'owners.created' })
  const title = t('owners.create')
  return (
    <FormDialog
      resource="owners"
      title={title}
      submitLabel={title}
      schema={NewOwner}
      initialValues={{ id: 1000 }}
      fieldOverrides={{ ...fields, id: { as: 'number' } }}
      submit={create}
    />
  )
}

const EditOwner = ({ owner, onClose }: { owner: Owner; onClose: () => void }) => {
  const t = useT()
  const update = useAction('owners', api.owners.update, { successKey: 'owners.saved' })
  return (
    <FormDialog
      resource="owners"
      open
      onClose={onClose}
      title={t('owners.edit', { name: owner.name })}
      submitLabel={t('owners.save')}
      schema={api.owners.update.endpoint.input}
      initialValues={owner}
      fieldOverrides={{ ...fields, id: { hidden: true } }}
      submit={update}
    />
  )
}

const RowActions = ({ owner, edit }: { owner: Owner; edit: () => void }) => {
  const t = useT()
  const remove = useAction('owners', api.owners.remove, { successKey: 'owners.removed' })
  const { id, name } = owner
  return (
    <RowMenu label={name}>
      <ActionItem icon={<EditIcon />} onClick={edit}>
        {t('common.edit')}
      </ActionItem>
      {isBuiltIn(owner) ? (
        <ActionItem icon={<DeleteIcon />} disabled onClick={() => undefined}>
          <DisabledReason reason={t('owners.builtInHint')}>{t('common.delete')}</DisabledReason>
        </ActionItem>
      ) : (
        <ConfirmItem
          icon={<DeleteIcon />}
          title={t('owners.remove.title', { name })}
          text={t('owners.remove.text')}
          onConfirm={() => remove({ id })}
        >
          {t('common.delete')}
        </ConfirmItem>
      )}
    </RowMenu>
  )
}

export const OwnersPage = () => {
  const t = useT()
  const [editing, setEditing] = useState<Owner>()
  return (
    <Page title={t('owners.title')} intro={t('owners.intro')} primaryAction={<CreateOwner />}>
      <DataTable
        resource="owners"
        list={api.owners.list}
        columns={columns}
        filters={[{ key: 'keyword', kind: 'text', labelKey: 'owners.fields.keyword' }]}
        card={{ title: row => row.name, fields: ['id', 'icon', 'kind'] }}
        rowActions={row => <RowActions owner={row} edit={() => setEditing(row)} />}
        empty={{ action: <CreateOwner /> }}
      />
      {editing && <EditOwner owner={editing} onClose={() => setEditing(undefined)} />}
    </Page>
  )
}
