import Alert from '@mui/material/Alert'
import { isAdmin, useSite, useUser } from '../api'
import { useT } from '../ui'

/** Warnings about the site, shown to administrators on every page. */
export const Banners = () => {
  const t = useT()
  const site = useSite()
  const user = useUser()
  if (!site.insecure || !isAdmin(user)) return null
  return (
    <Alert severity="warning" variant="outlined" sx={{ mb: 2 }}>
      {t('common.insecure')}
    </Alert>
  )
}
