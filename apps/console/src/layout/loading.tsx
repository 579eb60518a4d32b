import LinearProgress from '@mui/material/LinearProgress'
import { useTranslation } from 'react-i18next'

/** Thin, at the top, and only that: what comes takes the whole page. */
export const Loading = () => (
  <LinearProgress
    aria-label={useTranslation().t('common.loading')}
    sx={{ position: 'fixed', top: 0, left: 0, right: 0, height: 2, zIndex: 'tooltip' }}
  />
)
