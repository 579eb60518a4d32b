import LinearProgress from '@mui/material/LinearProgress'
import { useTranslation } from 'react-i18next'

/** A thin progress bar at the top, without a page layout: the next page may have another one. */
export const Loading = () => (
  <LinearProgress
    aria-label={useTranslation().t('common.loading')}
    sx={{ position: 'fixed', top: 0, left: 0, right: 0, height: 2, zIndex: 'tooltip' }}
  />
)
