import type { Channel } from '@hub/contract'
import Box from '@mui/material/Box'
import { Card, useT } from '../../../ui/index.ts'
import { History } from '../history/history-dialog.tsx'
import { LastErrors } from './last-errors.tsx'

/** The last errors, and the evidence of each change of state. */
export const Events = ({ channel }: { channel: Channel }) => {
  const t = useT()
  return (
    <Box sx={columns}>
      <LastErrors channel={channel} />
      <Card title={t('channel.history')} intro={t('channels.history.intro')}>
        <History channelId={channel.id} />
      </Card>
    </Box>
  )
}

const columns = {
  display: 'grid',
  alignItems: 'start',
  gap: 2,
  gridTemplateColumns: { xs: 'minmax(0, 1fr)', lg: 'repeat(2, minmax(0, 1fr))' },
}
