import MenuIcon from 'virtual:icons/menu'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import IconButton from '@mui/material/IconButton'
import Menu from '@mui/material/Menu'
import MenuItem from '@mui/material/MenuItem'
import { useState } from 'react'
import { Link, Outlet, useLocation } from 'react-router'
import { useSession, useSite } from '../api'
import { useT } from '../ui'
import { Footer } from './footer.tsx'
import { Bar } from './header/bar.tsx'
import { Tools } from './header/tools.tsx'
import { Logo } from './logo.tsx'

const useLinks = () => {
  const user = useSession()
  const { UptimeEnabled, UptimeDomain } = useSite()
  return [
    { id: 'home', to: '/' },
    ...(user ? [{ id: 'playground', to: '/playground' }] : []),
    { id: 'price', to: '/price' },
    { id: 'about', to: '/about' },
    ...(UptimeEnabled ? [{ id: 'status', to: UptimeDomain }] : []),
  ]
}

/** An address of another site opens in a tab of its own. */
const linkTo = (to: string) =>
  to.startsWith('/')
    ? { component: Link, to }
    : { component: 'a' as const, href: to, target: '_blank', rel: 'noopener noreferrer' }

/** The layout of public pages. */
export const PublicLayout = () => {
  const t = useT()
  const links = useLinks()
  const user = useSession()
  const { pathname } = useLocation()
  const entryLink = user ? { id: 'console', to: '/panel' } : { id: 'login', to: '/login' }
  return (
    <Box sx={{ minHeight: '100dvh', display: 'flex', flexDirection: 'column' }}>
      <Bar>
        <Logo />
        <Box sx={{ flex: 1 }} />
        <Box
          component="nav"
          aria-label={t('menu.site')}
          sx={{ display: { xs: 'none', sm: 'flex' }, gap: 0.5 }}
        >
          {links.map(({ id, to }) => (
            <Button
              key={id}
              {...linkTo(to)}
              color={pathname === to ? 'primary' : 'inherit'}
              aria-current={pathname === to ? 'page' : undefined}
            >
              {t(`menu.${id}`)}
            </Button>
          ))}
        </Box>
        <Tools />
        <Button
          component={Link}
          to={entryLink.to}
          variant="contained"
          sx={{ ml: 1, display: { xs: 'none', sm: 'inline-flex' } }}
        >
          {t(`menu.${entryLink.id}`)}
        </Button>
        <SmallMenu links={[...links, entryLink]} />
      </Bar>
      <Box
        component="main"
        id="main"
        tabIndex={-1}
        sx={{ flex: 1, display: 'flex', flexDirection: 'column', ...footerWaits }}
      >
        <Outlet />
      </Box>
      <Footer />
    </Box>
  )
}

/** Content that is still awaited would move the footer, which therefore appears after it. */
const footerWaits = {
  '&:has([role=progressbar], .MuiSkeleton-root) + footer': { visibility: 'hidden' },
}

const SmallMenu = ({ links }: { links: { id: string; to: string }[] }) => {
  const t = useT()
  const [anchor, setAnchor] = useState<HTMLElement | null>(null)
  return (
    <Box sx={{ display: { sm: 'none' } }}>
      <IconButton
        aria-label={t('menu.open')}
        aria-haspopup="menu"
        aria-expanded={anchor !== null}
        onClick={event => setAnchor(event.currentTarget)}
      >
        <MenuIcon />
      </IconButton>
      <Menu open={anchor !== null} anchorEl={anchor} onClose={() => setAnchor(null)}>
        {links.map(({ id, to }) => (
          <MenuItem key={id} {...linkTo(to)} onClick={() => setAnchor(null)}>
            {t(`menu.${id}`)}
          </MenuItem>
        ))}
      </Menu>
    </Box>
  )
}
