import ButtonBase from '@mui/material/ButtonBase'
import Tooltip from '@mui/material/Tooltip'
import { useState } from 'react'
import { useUser } from '../../api'
import { useT } from '../../ui'
import { UserAvatar } from './avatar.tsx'
import { ProfileDrawer } from './profile-drawer.tsx'

export const ProfileButton = () => {
  const t = useT()
  const user = useUser()
  const [open, setOpen] = useState(false)
  return (
    <>
      <Tooltip title={t('menu.account')}>
        <ButtonBase
          aria-label={t('menu.account')}
          aria-haspopup="dialog"
          aria-expanded={open}
          onClick={() => setOpen(true)}
          sx={{ borderRadius: '50%', ml: 0.5 }}
        >
          <UserAvatar user={user} size={45} />
        </ButtonBase>
      </Tooltip>
      <ProfileDrawer open={open} close={() => setOpen(false)} />
    </>
  )
}
