import type { ChannelRoute } from '@hub/contract'
import Box from '@mui/material/Box'
import Link from '@mui/material/Link'
import Stack from '@mui/material/Stack'
import Tooltip from '@mui/material/Tooltip'
import Typography from '@mui/material/Typography'
import { visuallyHidden } from '@mui/utils'
import { Link as RouterLink } from 'react-router'
import { formatPercent, type T, useT } from '../../../../ui/index.ts'

type Tier = ChannelRoute['tiers'][number]
type TierChannel = Tier['channels'][number]

type Props = {
  tier: Tier
  title: string
  isFallback: boolean
  /** The channel whose page this is. */
  channelId: number
  coolingDown: ReadonlySet<number>
}

const percent = (share: number) => formatPercent(share * 100, { places: 1 })

const textOf = (t: T, { name, weight, share }: TierChannel, isCoolingDown: boolean) =>
  [
    t('channel.routing.segment', { name, percent: percent(share), weight }),
    ...(isCoolingDown ? [t('channel.routing.coolingDown')] : []),
  ].join(' · ')

/** The channels of one priority as a bar: each has the part that its weight gives it. */
export const TierBar = ({ tier, title, isFallback, channelId, coolingDown }: Props) => {
  const t = useT()
  return (
    <Box>
      <Typography variant="caption" component="p" sx={{ color: 'text.secondary', mb: 0.5 }}>
        {title}
      </Typography>
      <Box aria-hidden sx={{ ...bar, opacity: isFallback ? 0.7 : 1 }}>
        {tier.channels.map(each => (
          <Tooltip key={each.id} title={textOf(t, each, coolingDown.has(each.id))}>
            <Box
              data-own={each.id === channelId}
              sx={{
                ...segment,
                ...(each.id === channelId ? own : other),
                ...(coolingDown.has(each.id) && striped),
              }}
              style={{ flexGrow: each.share, flexBasis: 0 }}
            >
              {each.share >= 0.08 && percent(each.share)}
            </Box>
          </Tooltip>
        ))}
      </Box>
      <Legend {...{ tier, channelId, coolingDown }} />
      <Box sx={visuallyHidden}>
        <table>
          <caption>{title}</caption>
          <tbody>
            {tier.channels.map(each => (
              <tr key={each.id}>
                <th scope="row">{each.name}</th>
                <td>{textOf(t, each, coolingDown.has(each.id))}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </Box>
    </Box>
  )
}

const shownChannels = 6

/** The names of the largest segments, each a way to the page of its channel. */
const Legend = ({
  tier,
  channelId,
  coolingDown,
}: Pick<Props, 'tier' | 'channelId' | 'coolingDown'>) => {
  const t = useT()
  const channels = tier.channels.toSorted(
    (a, b) => Number(b.id === channelId) - Number(a.id === channelId) || b.share - a.share,
  )
  const more = channels.length - shownChannels
  return (
    <Stack direction="row" sx={{ flexWrap: 'wrap', columnGap: 2, rowGap: 0.25, mt: 0.5 }}>
      {channels.slice(0, shownChannels).map(({ id, name, share }) => (
        <Typography
          key={id}
          variant="caption"
          sx={{ display: 'inline-flex', alignItems: 'center', gap: 0.75, minWidth: 0 }}
        >
          <Box component="span" aria-hidden sx={{ ...dot, ...(id === channelId ? own : other) }} />
          {id === channelId ? (
            <Box component="span" sx={{ fontWeight: 600, overflowWrap: 'anywhere' }}>
              {name}
            </Box>
          ) : (
            <Link
              component={RouterLink}
              to={`/panel/channel/${id}?tab=routing`}
              color="text.secondary"
              sx={{ overflowWrap: 'anywhere' }}
            >
              {name}
            </Link>
          )}
          <Box component="span" sx={{ color: 'text.secondary' }}>
            {percent(share)}
            {coolingDown.has(id) && ` · ${t('channel.routing.coolingDown')}`}
          </Box>
        </Typography>
      ))}
      {more > 0 && (
        <Typography variant="caption" sx={{ color: 'text.secondary' }}>
          {t('channel.routing.more', { count: more })}
        </Typography>
      )}
    </Stack>
  )
}

const bar = { display: 'flex', gap: '2px', height: 28 }
const segment = {
  ...{ display: 'grid', placeItems: 'center', minWidth: '3px', overflow: 'hidden' },
  ...{ borderRadius: '4px', fontSize: 12, fontWeight: 500, fontVariantNumeric: 'tabular-nums' },
}
const own = { bgcolor: 'primary.main', color: 'primary.contrastText' }
const other = {
  bgcolor: 'rgba(var(--mui-palette-text-secondaryChannel, 110 118 129) / 0.22)',
  color: 'text.primary',
}
/** Channels that cool down get no calls for now. */
const striped = {
  backgroundImage:
    'repeating-linear-gradient(45deg, transparent 0 6px, rgba(127, 127, 127, 0.45) 6px 9px)',
}
const dot = { width: 8, height: 8, borderRadius: '2px', flexShrink: 0 }
