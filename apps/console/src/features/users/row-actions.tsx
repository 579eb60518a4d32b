import WalletIcon from 'virtual:icons/account-balance-wallet'
import DeleteIcon from 'virtual:icons/delete'
import DevicesIcon from 'virtual:icons/devices'
import EditIcon from 'virtual:icons/edit'
import TokenIcon from 'virtual:icons/key'
import KeyOffIcon from 'virtual:icons/key-off'
import PromoteIcon from 'virtual:icons/shield'
import type { User } from '@hub/contract'
import { useNavigate } from 'react-router'
import { api, useSite, useUser } from '../../api/index.ts'
import { formatQuota } from '../../domain/index.ts'
import { DisabledReason } from '../../ui/feedback/row-menu.tsx'
import { ActionItem, ConfirmItem, RowMenu, useAction, useT } from '../../ui/index.ts'
import { manageRefusalOf, roleChangeRefusalOf } from './rank.ts'

type Props = {
  user: User
  edit: () => void
  changeQuota: () => void
  showSessions: () => void
}

export const RowActions = ({ user, edit, changeQuota, showSessions }: Props) => {
  const t = useT()
  const site = useSite()
  const me = useUser()
  const navigate = useNavigate()
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
      <ActionItem icon={<DevicesIcon />} disabled={Boolean(reason)} onClick={showSessions}>
        {t('users.actions.sessions')}
      </ActionItem>
      <ActionItem
        icon={<TokenIcon />}
        onClick={() => navigate(`/panel/user_token?user_id=${user.id}`)}
      >
        {t('users.actions.tokens')}
      </ActionItem>
      <SecondFactorItem user={user} />
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

const SecondFactorItem = ({ user }: { user: User }) => {
  const t = useT()
  const me = useUser()
  const reset = useAction('users', api.users.resetSecondFactor, {
    successKey: 'users.resetSecondFactor.done',
  })
  const label = t('users.actions.resetSecondFactor')
  const hasNone = !user.has_second_factor && !user.has_passkey
  if (manageRefusalOf(me, user) || hasNone)
    return (
      <ActionItem icon={<KeyOffIcon />} disabled onClick={() => undefined}>
        <DisabledReason reason={hasNone ? t('users.resetSecondFactor.none') : undefined}>
          {label}
        </DisabledReason>
      </ActionItem>
    )
  return (
    <ConfirmItem
      icon={<KeyOffIcon />}
      title={t('users.resetSecondFactor.title', { name: user.username })}
      text={t('users.resetSecondFactor.text')}
      onConfirm={() => reset({ id: user.id })}
    >
      {label}
    </ConfirmItem>
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
