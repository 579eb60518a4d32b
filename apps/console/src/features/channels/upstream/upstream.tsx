import type { Channel, ChannelUpstream } from '@hub/contract'
import Box from '@mui/material/Box'
import { ModelsCard } from './models-card.tsx'
import { RatioCard } from './ratio-card.tsx'

type Props = { channel: Channel; upstream: ChannelUpstream }

/** Shows new and vanished models of the provider, and the multiplier of its prices. */
export const Upstream = ({ channel, upstream: { models, ratio } }: Props) => (
  <Box sx={columns}>
    {ratio && <RatioCard channel={channel} ratio={ratio} />}
    {models && models.mode !== 'off' && <ModelsCard channel={channel} models={models} />}
  </Box>
)

const columns = {
  display: 'grid',
  alignItems: 'start',
  gap: 2,
  gridTemplateColumns: { xs: 'minmax(0, 1fr)', lg: 'repeat(auto-fit, minmax(400px, 1fr))' },
}
