import type { ChannelHealth } from '@hub/contract'
import Box from '@mui/material/Box'
import Link from '@mui/material/Link'
import Tooltip from '@mui/material/Tooltip'
import { useQuery } from '@tanstack/react-query'
import { Link as RouterLink } from 'react-router'
import { api, query } from '../../../api/index.ts'
import { formatCount, type T, useT } from '../../../ui/index.ts'
import { usePageKeys } from '../../../ui/table/page-keys.ts'
import { colourOf, percentText, successOf } from './success.ts'

type Hours = ChannelHealth['channels'][number]['hours']

const textOf = (t: T, hours: Hours): string => {
  const requests = hours.reduce((sum, each) => sum + each.requests, 0)
  const failed = hours.reduce((sum, each) => sum + each.failed, 0)
  const empty = hours.reduce((sum, each) => sum + each.empty, 0)
  const success = successOf({ requests, failed, empty })
  if (success === undefined) return t('channels.health.none')
  return t(`channels.health.${empty > 0 ? 'textWithEmpty' : 'text'}`, {
    percent: percentText(success),
    requests: formatCount(requests),
    failed: formatCount(failed),
    empty: formatCount(empty),
  })
}

/** The health of a channel in the list. One request reads that of all rows of the page. */
const useHealth = (id: number) => {
  const ids = usePageKeys().toSorted((a, b) => Number(a) - Number(b))
  const { data } = useQuery({
    ...query(api.channels.health, { ids: ids.join() }),
    refetchInterval: 60_000,
  })
  return data?.channels.find(each => each.id === id)
}

/** How many models the watch of the provider's list proposes to add and to remove. */
export const ProposedModels = ({ id }: { id: number }) => {
  const t = useT()
  const { added, removed } = useHealth(id)?.proposed ?? { added: 0, removed: 0 }
  if (added + removed === 0) return null
  return (
    <Link
      component={RouterLink}
      to={`/panel/channel/${id}`}
      onClick={event => event.stopPropagation()}
      sx={{ fontSize: 12 }}
    >
      {t('channels.proposed', { added, removed })}
    </Link>
  )
}

/** The last 24 hours of a channel in the list. */
export const HealthCell = ({ id, isWide = false }: { id: number; isWide?: boolean }) => {
  const t = useT()
  const hours = useHealth(id)?.hours
  const frame = { display: 'flex', gap: '1px', ...(isWide ? wide : narrow) }
  if (!hours) return <Box sx={frame} />
  const text = textOf(t, hours)
  return (
    <Tooltip title={text}>
      <Box role="img" aria-label={text} sx={frame}>
        {hours.map((hour, at) => (
          <Box
            // biome-ignore lint/suspicious/noArrayIndexKey: the 24 hours keep their order and have no id.
            key={at}
            sx={{ flex: 1, borderRadius: '1px', bgcolor: colourOf(successOf(hour)) }}
          />
        ))}
      </Box>
    </Tooltip>
  )
}

const narrow = { width: 71, height: 16 }
const wide = { width: 1, height: 8 }
