import ButtonBase from '@mui/material/ButtonBase'
import Tooltip from '@mui/material/Tooltip'
import { lazy, Suspense, useState } from 'react'
import { useUser } from '../../api'
import { useT } from '../../ui'
import { UserAvatar } from './avatar.tsx'

const ProfileDrawer = lazy(async () => ({
  default: (await import('./profile-drawer.tsx')).ProfileDrawer,
}))

export const ProfileButton = () => {
  const t = useT()
  const user = useUser()
  const [open, setOpen] = useState(false)
  const [isMounted, setMounted] = useState(false)
  if (open && !isMounted) setMounted(true)
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
      {isMounted && (
        <Suspense>
          <ProfileDrawer open={open} close={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  )
}
