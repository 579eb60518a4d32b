import Crumbs from '@mui/material/Breadcrumbs'
import Link from '@mui/material/Link'
import Typography from '@mui/material/Typography'
import { Link as RouterLink, useLocation } from 'react-router'
import { useT } from '../../ui'
import { findMenuItem } from './menu.ts'

/** The path of the current page: dashboard, menu section, page. */
export const Breadcrumbs = () => {
  const t = useT()
  const { pathname } = useLocation()
  const path = pathname.replace(/\/$/, '')
  const trail = findMenuItem(path)
  if (!trail || trail.item.id === 'dashboard') return null
  return (
    <Crumbs maxItems={8} aria-label={t('common.breadcrumbs')} sx={{ fontSize: 13 }}>
      <Link component={RouterLink} to="/panel/dashboard" underline="hover" color="text.secondary">
        {t('menu.dashboard')}
      </Link>
      <Typography variant="body2" sx={{ color: 'text.secondary' }}>
        {t(`menu.${trail.parent}`)}
      </Typography>
      {path === trail.item.url ? (
        <Typography variant="body2" sx={{ color: 'text.primary' }} aria-current="page">
          {t(`menu.${trail.item.id}`)}
        </Typography>
      ) : (
        <Link component={RouterLink} to={trail.item.url} underline="hover" color="text.secondary">
          {t(`menu.${trail.item.id}`)}
        </Link>
      )}
    </Crumbs>
  )
}
