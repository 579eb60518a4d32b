import type { Channel } from '@hub/contract'
import Button from '@mui/material/Button'
import { api } from '../../../api/index.ts'
import { useAction, useT } from '../../../ui/index.ts'
import { affectedResources } from '../queries.ts'

/** Reads the list of models and the multiplier at once. */
export const ReadButton = ({ channel: { id, key_count } }: { channel: Channel }) => {
  const t = useT()
  const read = useAction(affectedResources, api.channels.readUpstream)
  return (
    <Button
      variant="outlined"
      color="inherit"
      loading={read.isPending}
      disabled={key_count === 0}
      sx={{ flexShrink: 0 }}
      onClick={() => void read({ id })}
    >
      {t('channel.upstream.read')}
    </Button>
  )
}
