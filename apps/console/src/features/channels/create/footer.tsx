import Box from '@mui/material/Box'
import Stack from '@mui/material/Stack'
import type { ReactNode } from 'react'
import { ConfirmButton, useT } from '../../../ui/index.ts'

type Props = {
  discard: () => Promise<void>
  /** The server has the channels already, and discarding deletes them. */
  isStored: boolean
  children: ReactNode
}

/** The buttons of a step, which stay in view while its fields scroll. */
export const Footer = ({ discard, isStored, children }: Props) => {
  const t = useT()
  return (
    <Stack direction="row" sx={bar}>
      <ConfirmButton
        color="inherit"
        title={t('channel-create.discard.title')}
        text={t(`channel-create.discard.${isStored ? 'stored' : 'text'}`)}
        confirmLabel={t('channel-create.discard.action')}
        onConfirm={discard}
      >
        {t('channel-create.discard.action')}
      </ConfirmButton>
      <Box sx={{ flex: 1 }} />
      {children}
    </Stack>
  )
}

const bar = {
  position: 'sticky',
  bottom: 0,
  zIndex: 1,
  alignItems: 'center',
  flexWrap: 'wrap',
  gap: 1,
  mt: 3,
  py: 1.5,
  borderTop: '1px solid',
  borderColor: 'divider',
  bgcolor: 'background.paper',
}
