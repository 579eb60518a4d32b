import Box from '@mui/material/Box'
import { Link } from 'react-router'
import { useSite } from '../api'

/** The logo of the site, 50 px high, or the One Hub icon with the site's name. */
export const Logo = () => {
  const site = useSite()
  if (site.isLoading && !site.version) return <Box sx={{ height: 50 }} />
  return (
    <Box
      component={Link}
      to="/"
      sx={{
        display: 'inline-flex',
        alignItems: 'center',
        gap: 1.25,
        height: 50,
        color: 'text.primary',
        textDecoration: 'none',
        fontWeight: 600,
        fontSize: 16,
        minWidth: 0,
      }}
    >
      {site.logo ? (
        <img src={site.logo} alt={site.system_name} height={50} referrerPolicy="no-referrer" />
      ) : (
        <>
          <img src="/favicon.svg" alt="" width={28} height={28} />
          <Box
            component="span"
            sx={{ overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap' }}
          >
            {site.system_name}
          </Box>
        </>
      )}
    </Box>
  )
}
