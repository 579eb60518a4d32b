import Button from '@mui/material/Button'
import Paper from '@mui/material/Paper'
import Slide from '@mui/material/Slide'
import Stack from '@mui/material/Stack'
import type { ReactNode } from 'react'
import { useT } from '../../../locales/use-t.ts'

type Props = { count: number; clear: () => void; children: ReactNode }

/** Actions for all selected rows, floating at the bottom of the window. */
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
          bottom: 24,
          left: 0,
          right: 0,
          // The stack around it would otherwise remove the margins of its children.
          '&&': { mx: 'auto' },
          width: 'fit-content',
          maxWidth: 'calc(100vw - 32px)',
          zIndex: 'appBar',
          border: '1px solid',
          borderColor: 'divider',
        }}
      >
        <Stack
          direction="row"
          sx={{ alignItems: 'center', px: 2, py: 1, flexWrap: 'wrap', gap: 1.5 }}
        >
          <span>{t('common.chosen', { count, value: count })}</span>
          {children}
          <Button size="small" color="inherit" onClick={clear}>
            {t('common.cancel')}
          </Button>
        </Stack>
      </Paper>
    </Slide>
  )
}
