import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Typography from '@mui/material/Typography'
import { useRouteError } from 'react-router'
import { useT } from '../ui'

/** The error boundary of a page: a failure does not blank the whole console. */
export const Crash = () => {
  const t = useT()
  const error = useRouteError()
  const isStale = error instanceof TypeError && /dynamically imported module/.test(error.message)
  return (
    <Box role="alert" sx={{ maxWidth: 520, mx: 'auto', my: 10, px: 3, textAlign: 'center' }}>
      <Typography variant="h2" component="h1" gutterBottom>
        {t(isStale ? 'common.crash.staleTitle' : 'common.crash.title')}
      </Typography>
      <Typography sx={{ color: 'text.secondary', mb: 3 }}>
        {t(isStale ? 'common.crash.staleText' : 'common.crash.text')}
      </Typography>
      <Button variant="contained" onClick={() => location.reload()}>
        {t('common.crash.reload')}
      </Button>
    </Box>
  )
}
