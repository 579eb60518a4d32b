import MenuIcon from 'virtual:icons/menu'
import SearchIcon from 'virtual:icons/search'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Drawer from '@mui/material/Drawer'
import GlobalStyles from '@mui/material/GlobalStyles'
import IconButton from '@mui/material/IconButton'
import useMediaQuery from '@mui/material/useMediaQuery'
import { lazy, Suspense, useState } from 'react'
import { Outlet } from 'react-router'
import { useUser } from '../api'
import { useT } from '../ui'
import { useBackCloses } from '../ui/use-dialog.ts'
import { timeZoneName } from '../ui/values/format.ts'
import { Banners } from './banners.tsx'
import { useCustomization } from './customization.tsx'
import { Bar } from './header/bar.tsx'
import { ProfileButton } from './header/profile-button.tsx'
import { Tools } from './header/tools.tsx'
import { Loading } from './loading.tsx'
import { Logo } from './logo.tsx'
import { Breadcrumbs } from './menu/breadcrumbs.tsx'
import { Sidebar } from './menu/sidebar.tsx'

const width = 260
const ChangePassword = lazy(async () => ({
  default: (await import('./session/change-password.tsx')).RequiredPasswordChange,
}))

/** The layout of the console: header, sidebar, breadcrumbs and page. */
export const ConsoleLayout = () => {
  const t = useT()
  const user = useUser()
  const isWide = useMediaQuery('(min-width: 900px)', { noSsr: true })
  const { opened, setOpened } = useCustomization()
  const [isDrawerOpen, setDrawerOpen] = useState(false)
  const toggle = () => (isWide ? setOpened(!opened) : setDrawerOpen(!isDrawerOpen))
  const isMenuShown = isWide ? opened : isDrawerOpen
  useBackCloses(!isWide && isDrawerOpen, () => setDrawerOpen(false))
  return (
    <Box sx={{ minHeight: '100dvh' }}>
      {/* Toasts appear beside the menu. */}
      <GlobalStyles styles={{ ':root': { '--menu-width': `${isWide && opened ? width : 0}px` } }} />
      <Bar>
        <IconButton
          edge="start"
          aria-label={t('menu.toggle')}
          aria-expanded={isMenuShown}
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
        <Side
          {...{ isWide, isDrawerOpen }}
          isOpen={opened}
          closeDrawer={() => setDrawerOpen(false)}
        />
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
              <Box sx={{ display: 'flex', flexWrap: 'wrap', columnGap: 2, mb: 1 }}>
                <Breadcrumbs />
                <TimeZone />
              </Box>
              <Outlet />
            </>
          )}
        </Box>
      </Box>
    </Box>
  )
}

/** The zone of all times on the page. */
const TimeZone = () => {
  const t = useT()
  return (
    <Box sx={{ ml: 'auto', fontSize: 12, lineHeight: '20px', color: 'text.secondary' }}>
      {t('common.timeZone', { zone: timeZoneName() })}
    </Box>
  )
}

type SideProps = {
  isWide: boolean
  isOpen: boolean
  isDrawerOpen: boolean
  closeDrawer: () => void
}

/** The menu: a column that can be closed, or a drawer on small screens. */
const Side = ({ isWide, isOpen, isDrawerOpen, closeDrawer }: SideProps) => {
  const t = useT()
  if (isWide)
    return (
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
    )
  return (
    <Drawer
      open={isDrawerOpen}
      onClose={closeDrawer}
      slotProps={{ paper: { sx: { width }, 'aria-label': t('menu.console') } }}
    >
      <Box sx={{ px: 2, height: 56, display: 'flex', alignItems: 'center' }}>
        <Logo />
      </Box>
      <Button
        color="inherit"
        variant="outlined"
        startIcon={<SearchIcon />}
        onClick={() => {
          closeDrawer()
          openPalette()
        }}
        sx={{
          ...{ mx: 2, mt: 2, flexShrink: 0, justifyContent: 'flex-start', minHeight: 44 },
          ...{ color: 'text.secondary', borderColor: 'divider' },
        }}
      >
        {t('common.search')}
      </Button>
      <Sidebar chosen={closeDrawer} />
    </Drawer>
  )
}

const openPalette = () =>
  window.dispatchEvent(new KeyboardEvent('keydown', { key: 'k', ctrlKey: true }))

/** Opens the command palette by mouse or touch. On phones the menu has it. */
const PaletteButton = () => {
  const t = useT()
  return (
    <IconButton
      aria-label={t('common.palette.title')}
      sx={{ color: 'text.secondary', display: { xs: 'none', sm: 'inline-flex' } }}
      onClick={openPalette}
    >
      <SearchIcon />
    </IconButton>
  )
}
