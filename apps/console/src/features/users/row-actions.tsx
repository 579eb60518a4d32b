import type { User } from '@hub/contract'
import WalletIcon from '@mui/icons-material/AccountBalanceWalletOutlined'
import DeleteIcon from '@mui/icons-material/DeleteOutlined'
import EditIcon from '@mui/icons-material/EditOutlined'
import PromoteIcon from '@mui/icons-material/ShieldOutlined'
import { api, useAction } from '../../api/index.ts'
import { Reason } from '../../ui/feedback/reason.tsx'
import {
  ActionItem,
  ConfirmItem,
  formatQuota,
  RowMenu,
  useSite,
  useT,
  useUser,
} from '../../ui/index.ts'
import { refusalOf, roleRefusalOf } from './rank.ts'

type Props = { user: User; edit: () => void; changeQuota: () => void }

export const RowActions = ({ user, edit, changeQuota }: Props) => {
  const t = useT()
  const site = useSite()
  const me = useUser()
  const remove = useAction('users', api.users.remove, { done: 'users.removed' })
  const name = user.username
  const refusal = refusalOf(me, user)
  const why = refusal && t(refusal)
  return (
    <RowMenu label={name}>
      <ActionItem icon={<EditIcon />} disabled={Boolean(why)} onClick={edit}>
        <Reason why={why}>{t('common.edit')}</Reason>
      </ActionItem>
      <ActionItem icon={<WalletIcon />} disabled={Boolean(why)} onClick={changeQuota}>
        {t('users.actions.quota')}
      </ActionItem>
      <RoleItem user={user} />
      {why ? (
        <ActionItem icon={<DeleteIcon />} disabled onClick={() => undefined}>
          {t('common.delete')}
        </ActionItem>
      ) : (
        <ConfirmItem
          icon={<DeleteIcon />}
          title={t('users.remove.title', { name })}
          text={t('users.remove.text', { balance: formatQuota(user.quota, site) })}
          onConfirm={() => remove({ id: user.id })}
        >
          {t('common.delete')}
        </ConfirmItem>
      )}
    </RowMenu>
  )
}

const RoleItem = ({ user }: { user: User }) => {
  const t = useT()
  const me = useUser()
  const action = user.role === 1 ? 'promote' : 'demote'
  const manage = useAction('users', api.users.manage, { done: `users.managed.${action}` })
  const refusal = roleRefusalOf(me, user)
  const name = user.username
  if (refusal)
    return (
      <ActionItem icon={<PromoteIcon />} disabled onClick={() => undefined}>
        <Reason why={refusal === 'users.rank.rootOnly' ? t(refusal) : undefined}>
          {t(`users.actions.${action}`)}
        </Reason>
      </ActionItem>
    )
  return (
    <ConfirmItem
      icon={<PromoteIcon />}
      danger={action === 'demote'}
      title={t(`users.${action}.title`, { name })}
      text={t(`users.${action}.text`)}
      onConfirm={() => manage({ username: name, action })}
    >
      {t(`users.actions.${action}`)}
    </ConfirmItem>
  )
}
