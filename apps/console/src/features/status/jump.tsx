import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import CircularProgress from '@mui/material/CircularProgress'
import Typography from '@mui/material/Typography'
import { useEffect } from 'react'
import { Link } from 'react-router'
import { useAddress, useT, useTitle } from '../../ui'

/** One Hub's two desktop clients. An address of any other kind could be a phishing page or a script. */
const isAppLink = (url: string): boolean => /^(opencat|ama):\/\//.test(url)

/** Opens a desktop client from a place that accepts https links only: `/jump?url=opencat://…`. */
export const JumpPage = () => {
  const t = useT()
  useTitle(t('status.jump.title'))
  const [params] = useAddress()
  const url = params.get('url') ?? ''
  const isAllowed = isAppLink(url)
  useEffect(() => {
    if (isAllowed) location.assign(url)
  }, [url, isAllowed])
  return (
    <Box sx={{ m: 'auto', py: 10, px: 3, textAlign: 'center', maxWidth: 480 }}>
      {isAllowed && <CircularProgress size={32} aria-label={t('common.loading')} />}
      <Typography variant="h2" component="h1" sx={{ mt: 2 }}>
        {t(isAllowed ? 'status.jump.title' : 'status.jump.refused')}
      </Typography>
      <Typography sx={{ color: 'text.secondary', my: 2 }}>
        {t(isAllowed ? 'status.jump.text' : 'status.jump.refusedText')}
      </Typography>
      {isAllowed ? (
        <Button variant="contained" href={url}>
          {t('status.jump.open')}
        </Button>
      ) : (
        <Button component={Link} to="/" variant="contained">
          {t('menu.home')}
        </Button>
      )}
    </Box>
  )
}
