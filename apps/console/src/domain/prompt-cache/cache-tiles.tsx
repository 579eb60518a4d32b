import type { CacheFigures } from '@hub/contract'
import Box from '@mui/material/Box'
import { useT } from '../../locales/use-t.ts'
import { formatCount, formatPercent } from '../../ui/values/format.ts'
import { Tile, tileColumns } from '../../ui/values/tile.tsx'
import { Count } from '../../ui/values/values.tsx'
import { Quota } from '../quota-value.tsx'

/** A share of a prompt as a percentage; a dash where nothing says how much was cached. */
export const hitRateText = (share: number | null): string =>
  share === null ? '–' : formatPercent(share * 100, { places: 1 })

/** What prompt caches read and missed of some calls. Sums of the newest calls alone are lower bounds. */
export const CacheTiles = ({
  figures,
  isComplete = true,
}: {
  figures: CacheFigures
  isComplete?: boolean
}) => {
  const t = useT()
  const { calls, prompt_tokens, read_tokens, written_tokens, hit_rate, misses } = figures
  const least = isComplete ? '' : '≥ '
  const text = (key: string, values?: Record<string, string>) => t(`prompt-cache.${key}`, values)
  return (
    <Box sx={tileColumns}>
      <Tile
        title={text('hitRate')}
        caption={text('readOf', {
          read: formatCount(read_tokens),
          all: formatCount(prompt_tokens),
        })}
      >
        {hitRateText(hit_rate)}
      </Tile>
      <Tile title={text('calls')} caption={text('callsText')}>
        {least}
        <Count value={calls} />
      </Tile>
      <Tile title={text('written')} caption={text('writtenText')}>
        {hit_rate === null ? (
          '–'
        ) : (
          <>
            {least}
            <Count value={written_tokens} />
          </>
        )}
      </Tile>
      <Tile
        title={text('missed')}
        caption={
          misses
            ? text('missedOf', {
                calls: formatCount(misses.calls),
                all: formatCount(misses.expecting),
                tokens: formatCount(misses.tokens),
              })
            : text('missedNone')
        }
      >
        {misses ? (
          <>
            {least}
            <Quota value={misses.points} exact />
          </>
        ) : (
          '–'
        )}
      </Tile>
    </Box>
  )
}
