import DeleteIcon from 'virtual:icons/delete'
import EditIcon from 'virtual:icons/edit'
import MoveIcon from 'virtual:icons/swap-horiz'
import { AdminTokenPatch, type OwnedToken } from '@hub/contract'
import { useQuery } from '@tanstack/react-query'
import { z } from 'zod'
import { api, query } from '../../api/index.ts'
import {
  ActionItem,
  Badge,
  type Column,
  ConfirmItem,
  DataTable,
  FormDialog,
  Page,
  RowMenu,
  type Tone,
  useAction,
  useDialog,
  useT,
} from '../../ui/index.ts'
import { detailColumns } from './columns.tsx'
import { tokenForm } from './forms.tsx'

const tones: Record<OwnedToken['status'], Tone> = { 1: 'green', 2: 'gray', 3: 'amber', 4: 'red' }
const changed = ['tokens', 'users']

/** The group column of the own list falls back to the group of the reader, who is not the owner here. */
const replaced = ['status', 'group', 'limits']
const label = (key: string) => `tokens.fields.${key}`

const columns: Column<OwnedToken>[] = [
  {
    key: 'user_id',
    sort: false,
    labelKey: 'user-tokens.owner',
    render: row => `${row.owner_name} (${row.user_id})`,
  },
  ...(detailColumns as Column<OwnedToken>[])
    .filter(({ key }) => !replaced.includes(key))
    .map(column => ({ ...column, labelKey: column.labelKey ?? label(column.key) }))
    .map(column =>
      ['models', 'addresses'].includes(column.key)
        ? { ...column, sort: false, hidden: true }
        : column,
    ),
  {
    key: 'status',
    labelKey: label('status'),
    render: row => <Badge tone={tones[row.status]} labelKey={`tokens.status.${row.status}`} />,
  },
  { key: 'group', sort: false, labelKey: label('group'), render: row => row.group || '–' },
  {
    key: 'billing_tag',
    sort: false,
    hidden: true,
    labelKey: 'tokens.billingTag.label',
    render: row => row.setting.billing_tag || '–',
  },
]

/** The tokens of all users. Administrators change those of users below their role, and see no key. */
export const UserTokensPage = () => {
  const t = useT()
  return (
    <Page title={t('user-tokens.title')} intro={t('user-tokens.intro')}>
      <DataTable
        resource="user-tokens"
        list={api.tokens.search}
        columns={columns}
        filters={[
          { key: 'keyword', kind: 'text', labelKey: 'user-tokens.keyword' },
          { key: 'user_id', kind: 'number', labelKey: 'user-tokens.userId' },
          { key: 'token_id', kind: 'number', labelKey: 'user-tokens.tokenId' },
        ]}
        card={{ title: row => row.name, fields: ['user_id', 'status', 'used_quota'] }}
        rowActions={token => <Actions token={token} />}
      />
    </Page>
  )
}

const Actions = ({ token }: { token: OwnedToken }) => {
  const t = useT()
  const { id, name } = token
  const edit = useDialog('edit')
  const move = useDialog('move')
  const update = useAction(changed, api.tokens.updateOfUser, { successKey: 'tokens.saved' })
  const remove = useAction(changed, api.tokens.removeOfUser, { successKey: 'tokens.removed' })
  const status = token.status === 2 ? 1 : 2
  return (
    <>
      <RowMenu label={name}>
        <ActionItem icon={<EditIcon />} onClick={() => edit.open(id)}>
          {t('common.edit')}
        </ActionItem>
        <ActionItem icon={<MoveIcon />} onClick={() => move.open(id)}>
          {t('user-tokens.move')}
        </ActionItem>
        <ActionItem onClick={() => update({ id, status })}>
          {t(`user-tokens.setStatus.${status}`)}
        </ActionItem>
        <ConfirmItem
          icon={<DeleteIcon />}
          title={t('tokens.remove.title', { name })}
          text={t('tokens.remove.text')}
          onConfirm={() => remove({ id })}
        >
          {t('common.delete')}
        </ConfirmItem>
      </RowMenu>
      {edit.id === String(id) && <EditToken token={token} close={edit.close} />}
      {move.id === String(id) && <MoveToken token={token} close={move.close} />}
    </>
  )
}

type FormProps = { token: OwnedToken; close: () => void }

/** The form of the own tokens, with every group to choose from: the server checks it against the owner. */
const EditToken = ({ token, close }: FormProps) => {
  const t = useT()
  const { fieldOverrides, sections } = tokenForm.useOptions()
  const { data: symbols = [] } = useQuery(query(api.groups.symbols))
  const update = useAction(changed, api.tokens.updateOfUser, { successKey: 'tokens.saved' })
  const groups = symbols.map(symbol => ({ value: symbol, label: symbol }))
  const options = (none: string) => [{ value: '', label: none }, ...groups]
  return (
    <FormDialog
      resource="tokens"
      open
      onClose={close}
      title={t('tokens.edit', { name: token.name })}
      submitLabel={t('tokens.save')}
      schema={AdminTokenPatch.omit({ user_id: true, status: true })}
      initialValues={token as never}
      sections={sections}
      fieldOverrides={{
        ...fieldOverrides,
        id: { hidden: true },
        group: { as: 'select', options: options(t('tokens.ofUser')) },
        backup_group: { as: 'select', options: options(t('tokens.noBackup')) },
      }}
      transform={values => tokenForm.transform(values as never)}
      submit={update}
    />
  )
}

const Target = z.object({ user_id: z.number().int().positive() })

const MoveToken = ({ token, close }: FormProps) => {
  const t = useT()
  const move = useAction(changed, api.tokens.updateOfUser, { successKey: 'user-tokens.moved' })
  return (
    <FormDialog
      resource="user-tokens"
      open
      onClose={close}
      title={t('user-tokens.moveTitle', { name: token.name })}
      intro={t('user-tokens.moveText', { name: token.owner_name })}
      submitLabel={t('user-tokens.move')}
      schema={Target}
      fieldOverrides={{ user_id: { label: t('user-tokens.target') } }}
      submit={move}
      transform={({ user_id }) => ({ id: token.id, user_id })}
    />
  )
}
