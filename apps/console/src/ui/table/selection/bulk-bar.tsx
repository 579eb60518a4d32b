import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Paper from '@mui/material/Paper'
import Slide from '@mui/material/Slide'
import Stack from '@mui/material/Stack'
import type { ReactNode } from 'react'
import { useT } from '../../../locales/use-t.ts'

type Props = { count: number; clear: () => void; children: ReactNode }

/** Actions for all selected rows, floating at the bottom of the window. On phones they cover the main action of the page. */
export const BulkBar = ({ count, clear, children }: Props) => {
  const t = useT()
  return (
    <Slide direction="up" in appear>
      <Paper
        role="region"
        aria-label={t('common.chosen', { count, value: count })}
        elevation={8}
        sx={{
          position: 'fixed',
          bottom: { xs: 0, sm: 24 },
          left: 0,
          right: 0,
          // The stack around it would otherwise remove the margins of its children.
          '&&': { mx: 'auto' },
          width: { xs: 'auto', sm: 'fit-content' },
          maxWidth: { sm: 'calc(100vw - 32px)' },
          pb: { xs: 'env(safe-area-inset-bottom)', sm: 0 },
          zIndex: 'appBar',
          border: '1px solid',
          borderColor: 'divider',
          borderWidth: { xs: '1px 0 0', sm: 1 },
          borderRadius: { xs: 0, sm: '12px' },
        }}
      >
        <Stack
          direction="row"
          sx={{
            alignItems: 'center',
            px: 2,
            py: 1,
            flexWrap: 'wrap',
            gap: 1.5,
            minHeight: { xs: 68, sm: 0 },
          }}
        >
          <Box component="span" sx={{ flex: { xs: 1, sm: 'none' } }}>
            {t('common.chosen', { count, value: count })}
          </Box>
          {children}
          <Button size="small" color="inherit" onClick={clear}>
            {t('common.cancel')}
          </Button>
        </Stack>
      </Paper>
    </Slide>
  )
}
