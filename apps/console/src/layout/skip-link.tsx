import Box from '@mui/material/Box'
import { useT } from '../ui'

export const SkipLink = () => {
  const t = useT()
  return (
    <Box
      component="a"
      href="#main"
      onClick={event => {
        event.preventDefault()
        document.getElementById('main')?.focus()
      }}
      sx={{
        position: 'fixed',
        top: -60,
        left: 12,
        zIndex: 'tooltip',
        px: 2,
        py: 1,
        borderRadius: '8px',
        bgcolor: 'primary.main',
        color: 'primary.contrastText',
        '&:focus': { top: 12 },
      }}
    >
      {t('common.skip')}
    </Box>
  )
}
