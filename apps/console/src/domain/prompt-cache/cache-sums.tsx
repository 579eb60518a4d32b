import type { CacheFigures } from '@hub/contract'
import Box from '@mui/material/Box'
import type { ReactNode } from 'react'
import { useT } from '../../locales/use-t.ts'
import { formatCount, formatPercent } from '../../ui/values/format.ts'
import { Count } from '../../ui/values/values.tsx'
import { Quota } from '../quota-value.tsx'

/** A share of a prompt as a percentage; a dash where nothing says how much was cached. */
export const hitRateText = (share: number | null): string =>
  share === null ? '–' : formatPercent(share * 100, { places: 1 })

type CacheSumsProps = { figures: CacheFigures; isComplete?: boolean }

/** Shows how much prompt caches read and missed of some calls. Sums of the newest calls alone are lower bounds. */
export const CacheSums = ({ figures, isComplete = true }: CacheSumsProps) => {
  const t = useT()
  const { calls, prompt_tokens, read_tokens, written_tokens, hit_rate, misses } = figures
  const text = (key: string, values?: Record<string, string>) => t(`prompt-cache.${key}`, values)
  const least = (value: ReactNode) => (
    <>
      {isComplete ? '' : '≥ '}
      {value}
    </>
  )
  const readOf = { read: formatCount(read_tokens), all: formatCount(prompt_tokens) }
  const missedOf = misses && {
    calls: formatCount(misses.calls),
    all: formatCount(misses.expecting),
    tokens: formatCount(misses.tokens),
  }
  return (
    <Box component="dl" sx={columns}>
      <Sum title={text('hitRate')} caption={text('readOf', readOf)}>
        {hitRateText(hit_rate)}
      </Sum>
      <Sum title={text('calls')} caption={text('callsText')}>
        {least(<Count value={calls} />)}
      </Sum>
      <Sum title={text('written')} caption={text('writtenText')}>
        {hit_rate === null ? '–' : least(<Count value={written_tokens} />)}
      </Sum>
      <Sum
        title={text('missed')}
        caption={missedOf ? text('missedOf', missedOf) : text('missedNone')}
      >
        {misses ? least(<Quota value={misses.points} />) : '–'}
      </Sum>
    </Box>
  )
}

type SumProps = { title: string; caption: string; children: ReactNode }

const Sum = ({ title, caption, children }: SumProps) => (
  <Box sx={{ minWidth: 0 }}>
    <Box component="dt" sx={{ fontSize: 13, color: 'text.secondary' }}>
      {title}
    </Box>
    <Box component="dd" sx={valueStyles}>
      {children}
    </Box>
    <Box component="dd" sx={{ m: 0, fontSize: 12, color: 'text.secondary' }}>
      {caption}
    </Box>
  </Box>
)

const valueStyles = {
  ...{ m: 0, my: 0.25, fontSize: { xs: 18, sm: 22 }, fontWeight: 600, lineHeight: 1.3 },
  fontVariantNumeric: 'tabular-nums',
} as const

const columns = {
  ...{ display: 'grid', m: 0, columnGap: 3, rowGap: 2 },
  gridTemplateColumns: { xs: 'repeat(2, minmax(0, 1fr))', lg: 'repeat(4, minmax(0, 1fr))' },
} as const
