import CloseIcon from 'virtual:icons/close'
import Box from '@mui/material/Box'
import Drawer from '@mui/material/Drawer'
import IconButton from '@mui/material/IconButton'
import Stack from '@mui/material/Stack'
import Typography from '@mui/material/Typography'
import { type ReactNode, useId } from 'react'
import { useT } from '../../locales/use-t.ts'
import { useBackCloses } from '../use-dialog.ts'

type Props<T> = {
  row: T | undefined
  title: ReactNode
  close: () => void
  children: (row: T, close: () => void) => ReactNode
}

/** Shows the whole record of one row next to the table. */
export const RowDrawer = <T,>({ row, title, close, children }: Props<T>) => {
  const t = useT()
  const id = useId()
  useBackCloses(row !== undefined, close)
  return (
    <Drawer
      anchor="right"
      open={row !== undefined}
      onClose={close}
      slotProps={{
        paper: {
          role: 'dialog',
          'aria-labelledby': id,
          sx: { width: { xs: '100%', sm: 520 }, borderLeft: '1px solid', borderColor: 'divider' },
        },
      }}
    >
      <Stack
        direction="row"
        sx={{
          alignItems: 'center',
          justifyContent: 'space-between',
          px: 3,
          minHeight: 64,
          borderBottom: '1px solid',
          borderColor: 'divider',
        }}
      >
        <Typography id={id} variant="h3" component="h2" sx={{ overflowWrap: 'anywhere' }}>
          {title}
        </Typography>
        <IconButton aria-label={t('common.close')} onClick={close} edge="end">
          <CloseIcon fontSize="small" />
        </IconButton>
      </Stack>
      <Box sx={{ px: 3, py: 2, overflowY: 'auto' }}>
        {row !== undefined && children(row, close)}
      </Box>
    </Drawer>
  )
}
