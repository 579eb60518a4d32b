import type { ChannelFigures } from '@hub/contract'
import Box from '@mui/material/Box'
import { Quota } from '../../../domain/index.ts'
import {
  Count,
  formatCount,
  formatDuration,
  formatFixed,
  formatPercent,
  Tile,
  tileColumns,
  useT,
} from '../../../ui/index.ts'

const share = (part: number, all: number) => (all === 0 ? 0 : (part / all) * 100)

const timeText = (ms: number | null) => (ms === null ? '–' : formatDuration(ms))

/** The figures of the whole period. A click on calls or spend leads to their log rows. */
export const Tiles = ({ id, figures }: { id: number; figures: ChannelFigures }) => {
  const t = useT()
  const { totals, begin } = figures
  const { requests, failed, first_byte, duration, tokens_per_second: speed } = totals
  const tile = (key: string) => t(`channel.tiles.${key}`)
  const p95 = (ms: number | null) => t('channel.tiles.p95', { time: timeText(ms) })
  const calls = `/panel/log?log_type=2&channel_id=${id}&start_timestamp=${begin}`
  const percent = formatPercent(share(failed, requests + failed), { places: 1 })
  return (
    <Box sx={tileColumns}>
      <Tile title={tile('requests')} to={calls} caption={tile('requestsText')}>
        <Count value={requests} />
      </Tile>
      <Tile
        title={tile('failed')}
        caption={t('channel.tiles.share', { percent })}
        isAlarming={failed > 0}
      >
        <Count value={failed} />
      </Tile>
      <Tile title={tile('firstByte')} caption={p95(first_byte.p95)}>
        {timeText(first_byte.p50)}
      </Tile>
      <Tile title={tile('duration')} caption={p95(duration.p95)}>
        {timeText(duration.p50)}
      </Tile>
      <Tile title={tile('speed')} caption={tile('speedText')}>
        {speed === null ? '–' : formatFixed(speed, speed < 10 ? 1 : 0)}
      </Tile>
      <Tile title={tile('charged')} to={calls} caption={tile('chargedText')}>
        <Quota value={totals.charged} />
      </Tile>
      <Tile
        title={tile('cached')}
        caption={t('channel.tiles.cachedText', {
          cached: formatCount(totals.cached_tokens),
          all: formatCount(totals.prompt_tokens),
        })}
      >
        {totals.prompt_tokens === 0
          ? '–'
          : formatPercent(share(totals.cached_tokens, totals.prompt_tokens), { places: 1 })}
      </Tile>
      <Tile title={tile('saved')} caption={tile('savedText')}>
        <Quota value={totals.saved} />
      </Tile>
    </Box>
  )
}
