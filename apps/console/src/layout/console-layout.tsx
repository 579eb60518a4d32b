import MenuIcon from '@mui/icons-material/MenuOutlined'
import SearchIcon from '@mui/icons-material/SearchOutlined'
import Box from '@mui/material/Box'
import Drawer from '@mui/material/Drawer'
import IconButton from '@mui/material/IconButton'
import useMediaQuery from '@mui/material/useMediaQuery'
import { lazy, Suspense, useState } from 'react'
import { Outlet } from 'react-router'
import { useUser } from '../api'
import { useT } from '../ui'
import { Banners } from './banners.tsx'
import { Bar } from './header/bar.tsx'
import { ProfileButton } from './header/profile-button.tsx'
import { Tools } from './header/tools.tsx'
import { Loading } from './loading.tsx'
import { Logo } from './logo.tsx'
import { Breadcrumbs } from './menu/breadcrumbs.tsx'
import { Sidebar } from './menu/sidebar.tsx'

const width = 260
const ChangePassword = lazy(async () => ({
  default: (await import('./session/change-password.tsx')).ChangePassword,
}))

/** The console: menu at the side, path above, page below. */
export const ConsoleLayout = () => {
  const t = useT()
  const user = useUser()
  const isWide = useMediaQuery('(min-width: 900px)', { noSsr: true })
  const [isOpen, setOpen] = useState(true)
  const [isOver, setOver] = useState(false)
  const toggle = () => (isWide ? setOpen(!isOpen) : setOver(!isOver))
  const shown = isWide ? isOpen : isOver
  return (
    <Box sx={{ minHeight: '100dvh' }}>
      <Bar>
        <IconButton
          edge="start"
          aria-label={t('menu.toggle')}
          aria-expanded={shown}
          aria-controls="menu"
          onClick={toggle}
        >
          <MenuIcon />
        </IconButton>
        <Logo />
        <Box sx={{ flex: 1 }} />
        <PaletteButton />
        <Tools />
        <ProfileButton />
      </Bar>
      <Box sx={{ display: 'flex', alignItems: 'flex-start' }}>
        {isWide ? (
          <Box
            sx={{
              width: isOpen ? width : 0,
              visibility: isOpen ? 'visible' : 'hidden',
              flexShrink: 0,
              position: 'sticky',
              top: 64,
              height: 'calc(100dvh - 64px)',
              overflow: 'hidden',
              transition: 'width 200ms ease, visibility 200ms',
              bgcolor: 'background.paper',
              borderRight: isOpen ? '1px solid' : 0,
              borderColor: 'divider',
            }}
          >
            <Box sx={{ width: width - 1, height: '100%' }}>
              <Sidebar />
            </Box>
          </Box>
        ) : (
          <Drawer
            open={isOver}
            onClose={() => setOver(false)}
            slotProps={{ paper: { sx: { width }, 'aria-label': t('menu.console') } }}
          >
            <Box sx={{ px: 2, height: 56, display: 'flex', alignItems: 'center' }}>
              <Logo />
            </Box>
            <Sidebar chosen={() => setOver(false)} />
          </Drawer>
        )}
        <Box
          component="main"
          id="main"
          tabIndex={-1}
          sx={{ flex: 1, minWidth: 0, p: { xs: 2, sm: 3 } }}
        >
          <Banners />
          {user.must_change_password ? (
            <Suspense fallback={<Loading />}>
              <ChangePassword />
            </Suspense>
          ) : (
            <>
              <Breadcrumbs />
              <Outlet />
            </>
          )}
        </Box>
      </Box>
    </Box>
  )
}

/** The palette opens by its key; this is the way for those who have none. */
const PaletteButton = () => {
  const t = useT()
  return (
    <IconButton
      aria-label={t('common.palette.title')}
      sx={{ color: 'text.secondary', display: { xs: 'none', sm: 'inline-flex' } }}
      onClick={() =>
        window.dispatchEvent(new KeyboardEvent('keydown', { key: 'k', ctrlKey: true }))
      }
    >
      <SearchIcon />
    </IconButton>
  )
}
