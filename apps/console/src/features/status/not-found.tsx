import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Typography from '@mui/material/Typography'
import { useNavigate } from 'react-router'
import { useT, useTitle } from '../../ui'

export const NotFoundPage = () => {
  const t = useT()
  useTitle(t('status.notFound.title'))
  const navigate = useNavigate()
  return (
    <Box sx={{ m: 'auto', py: 10, px: 3, textAlign: 'center', maxWidth: 480 }}>
      <Typography
        sx={{ fontSize: 72, fontWeight: 600, color: 'text.secondary', lineHeight: 1 }}
        aria-hidden
      >
        404
      </Typography>
      <Typography variant="h2" component="h1" sx={{ mt: 2 }}>
        {t('status.notFound.title')}
      </Typography>
      <Typography sx={{ color: 'text.secondary', my: 2 }}>{t('status.notFound.text')}</Typography>
      <Button variant="contained" onClick={() => void navigate(-1)}>
        {t('common.back')}
      </Button>
    </Box>
  )
}
