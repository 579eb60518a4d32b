import type { OperationsOverview } from '@hub/contract'
import Box from '@mui/material/Box'
import { Quota } from '../../domain'
import {
  Count,
  formatCount,
  formatDuration,
  formatPercent,
  Tile,
  tileColumns,
  useT,
} from '../../ui'
import { changeOf, failedShare } from './figures.ts'
import { chargesLink, errorsLink, redemptionsLink, usersLink } from './links.ts'

export const Tiles = ({ overview }: { overview: OperationsOverview }) => {
  const t = useT()
  const { current, totals, previous_totals: before, latency } = overview
  const tile = (key: string) => t(`operations.tiles.${key}`)
  const compared = (now: number, then: number) => {
    const change = changeOf(now, then)
    return change === undefined
      ? t('operations.tiles.nothingBefore')
      : t('operations.tiles.before', { change: formatPercent(change, { signed: true }) })
  }
  const duration = latency.duration === null ? '' : formatDuration(latency.duration)
  return (
    <Box sx={tileColumns}>
      <Tile
        title={tile('charged')}
        to={chargesLink(current.begin)}
        caption={compared(totals.charged, before.charged)}
      >
        <Quota value={totals.charged} />
      </Tile>
      <Tile
        title={tile('requests')}
        to={chargesLink(current.begin)}
        caption={compared(totals.requests, before.requests)}
      >
        <Count value={totals.requests} />
      </Tile>
      <Tile
        title={tile('failed')}
        to={errorsLink(current.begin)}
        caption={t('operations.tiles.share', {
          percent: formatPercent(failedShare(totals), { places: 1 }),
        })}
        isAlarming={totals.failed > 0}
      >
        <Count value={totals.failed} />
      </Tile>
      <Tile
        title={tile('latency')}
        caption={
          latency.calls > 0
            ? t('operations.tiles.duration', { time: duration, calls: formatCount(latency.calls) })
            : t('operations.tiles.noLatency')
        }
      >
        {latency.first_byte === null ? '–' : formatDuration(latency.first_byte)}
      </Tile>
      <Tile
        title={tile('tokens')}
        caption={t('operations.tiles.tokenParts', {
          input: formatCount(totals.prompt_tokens),
          output: formatCount(totals.completion_tokens),
        })}
      >
        <Count value={totals.prompt_tokens + totals.completion_tokens} />
      </Tile>
      <Tile title={tile('active')} caption={tile('activeText')}>
        <Count value={overview.active_users} />
      </Tile>
      <Tile title={tile('new')} to={usersLink} caption={tile('newText')}>
        <Count value={overview.new_users} />
      </Tile>
      <Tile title={tile('credited')} to={redemptionsLink} caption={tile('creditedText')}>
        <Quota value={overview.credited} />
      </Tile>
    </Box>
  )
}
