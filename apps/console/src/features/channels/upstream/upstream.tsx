import type { Channel, ChannelUpstream } from '@hub/contract'
import Box from '@mui/material/Box'
import Skeleton from '@mui/material/Skeleton'
import { useQuery } from '@tanstack/react-query'
import { api, query } from '../../../api/index.ts'
import { ModelsCard } from './models-card.tsx'
import { RatioCard } from './ratio-card.tsx'

/** What the provider offers and charges anew. Nothing for a channel that watches neither. */
export const Upstream = ({ channel }: { channel: Channel }) => {
  const { data } = useQuery(query(api.channels.upstream, { id: channel.id }))
  if (!data) return <Skeleton variant="rounded" height={220} />
  const { models, ratio }: ChannelUpstream = data
  const isWatched = models !== null && models.mode !== 'off'
  if (!isWatched && !ratio) return null
  return (
    <Box sx={columns}>
      {ratio && <RatioCard channel={channel} ratio={ratio} />}
      {isWatched && <ModelsCard channel={channel} models={models} />}
    </Box>
  )
}

const columns = {
  display: 'grid',
  alignItems: 'start',
  gap: 2,
  gridTemplateColumns: { xs: 'minmax(0, 1fr)', lg: 'repeat(auto-fit, minmax(400px, 1fr))' },
}
