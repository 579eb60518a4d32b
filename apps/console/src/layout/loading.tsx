import { keyframes } from '@emotion/react'
import Box from '@mui/material/Box'
import { useTranslation } from 'react-i18next'

const pass = keyframes({ from: { left: '-40%' }, to: { left: '100%' } })

/** A thin progress bar at the top, without a page layout: the next page may have another one. */
export const Loading = () => (
  <Box
    role="progressbar"
    aria-label={useTranslation().t('common.loading')}
    sx={{
      ...{ position: 'fixed', top: 0, left: 0, right: 0, height: 2, zIndex: 'tooltip' },
      overflow: 'hidden',
      '&::after': {
        ...{ content: '""', position: 'absolute', top: 0, bottom: 0, width: '40%' },
        ...{ bgcolor: 'primary.main', animation: `${pass} 1.2s ease-in-out infinite` },
      },
    }}
  />
)
