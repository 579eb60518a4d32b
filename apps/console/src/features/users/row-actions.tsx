import type { User } from '@hub/contract'
import WalletIcon from '@mui/icons-material/AccountBalanceWalletOutlined'
import DeleteIcon from '@mui/icons-material/DeleteOutlined'
import EditIcon from '@mui/icons-material/EditOutlined'
import PromoteIcon from '@mui/icons-material/ShieldOutlined'
import { api, useSite, useUser } from '../../api/index.ts'
import { formatQuota } from '../../domain/index.ts'
import { DisabledReason } from '../../ui/feedback/disabled-reason.tsx'
import { ActionItem, ConfirmItem, RowMenu, useAction, useT } from '../../ui/index.ts'
import { manageRefusalOf, roleChangeRefusalOf } from './rank.ts'

type Props = { user: User; edit: () => void; changeQuota: () => void }

export const RowActions = ({ user, edit, changeQuota }: Props) => {
  const t = useT()
  const site = useSite()
  const me = useUser()
  const remove = useAction('users', api.users.remove, { successKey: 'users.removed' })
  const name = user.username
  const refusalKey = manageRefusalOf(me, user)
  const reason = refusalKey && t(refusalKey)
  return (
    <RowMenu label={name}>
      <ActionItem icon={<EditIcon />} disabled={Boolean(reason)} onClick={edit}>
        <DisabledReason reason={reason}>{t('common.edit')}</DisabledReason>
      </ActionItem>
      <ActionItem icon={<WalletIcon />} disabled={Boolean(reason)} onClick={changeQuota}>
        {t('users.actions.quota')}
      </ActionItem>
      <RoleItem user={user} />
      {reason ? (
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
  const manage = useAction('users', api.users.manage, { successKey: `users.managed.${action}` })
  const refusalKey = roleChangeRefusalOf(me, user)
  const name = user.username
  if (refusalKey)
    return (
      <ActionItem icon={<PromoteIcon />} disabled onClick={() => undefined}>
        <DisabledReason reason={refusalKey === 'users.rank.rootOnly' ? t(refusalKey) : undefined}>
          {t(`users.actions.${action}`)}
        </DisabledReason>
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
