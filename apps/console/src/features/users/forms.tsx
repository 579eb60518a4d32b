import { NewUser, type User, UserPatch } from '@hub/contract'
import { useQuery } from '@tanstack/react-query'
import { api, isRoot, query, useUser } from '../../api/index.ts'
import { PointsInput } from '../../domain/index.ts'
import { FormDialog, useAction, useT } from '../../ui/index.ts'

/** The fields shared by create and edit: the existing groups and the roles that the user may assign. */
const useFields = () => {
  const t = useT()
  const me = useUser()
  const { data: symbols = ['default'] } = useQuery(query(api.groups.symbols))
  const roles = isRoot(me) ? [1, 10] : [1]
  return {
    group: { as: 'select', options: symbols.map(symbol => ({ value: symbol, label: symbol })) },
    role: {
      as: 'select',
      options: roles.map(role => ({ value: role, label: t(`users.roles.${role}`) })),
    },
    password: { as: 'password' },
    quota: { control: PointsInput },
  } as const
}

export const CreateUser = () => {
  const t = useT()
  const fields = useFields()
  const create = useAction('users', api.users.create, { successKey: 'users.created' })
  const title = t('users.create')
  return (
    <FormDialog
      resource="users"
      address="create"
      title={title}
      submitLabel={title}
      schema={NewUser}
      fieldOverrides={fields}
      submit={create}
    />
  )
}

/** An empty password keeps the current one. The role has its own action with a confirmation. */
export const EditUser = ({ user, onClose }: { user: User; onClose: () => void }) => {
  const t = useT()
  const { password, group } = useFields()
  const update = useAction('users', api.users.update, { successKey: 'users.saved' })
  return (
    <FormDialog
      resource="users"
      open
      onClose={onClose}
      title={t('users.edit', { name: user.username })}
      submitLabel={t('users.save')}
      schema={UserPatch.omit({ role: true, status: true })}
      initialValues={{ ...user, password: '' }}
      fieldOverrides={{ id: { hidden: true }, password, group }}
      submit={update}
    />
  )
}
