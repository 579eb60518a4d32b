import { NewUser, type User, UserPatch } from '@hub/contract'
import { useQuery } from '@tanstack/react-query'
import { api, query, useAction } from '../../api/index.ts'
import { FormDialog, isRoot, useT, useUser } from '../../ui/index.ts'

/** Fields that create and edit share: the groups there are, and the roles one may give. */
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
    quota: { as: 'points' },
  } as const
}

export const CreateUser = () => {
  const t = useT()
  const fields = useFields()
  const create = useAction('users', api.users.create, { done: 'users.created' })
  const title = t('users.create')
  return (
    <FormDialog
      of="users"
      title={title}
      verb={title}
      schema={NewUser}
      fields={fields}
      submit={create}
    />
  )
}

/** An empty password means: unchanged. The role is changed by its own, confirmed action. */
export const EditUser = ({ user, onClose }: { user: User; onClose: () => void }) => {
  const t = useT()
  const { password, group } = useFields()
  const update = useAction('users', api.users.update, { done: 'users.saved' })
  return (
    <FormDialog
      of="users"
      open
      onClose={onClose}
      title={t('users.edit', { name: user.username })}
      verb={t('users.save')}
      schema={UserPatch.omit({ role: true })}
      initial={{ ...user, password: '' }}
      fields={{ id: { hidden: true }, password, group }}
      submit={update}
    />
  )
}
