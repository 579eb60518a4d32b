import type { CallSession } from '@hub/contract'
import Box from '@mui/material/Box'
import Link from '@mui/material/Link'
import type { SxProps } from '@mui/material/styles'
import type { ReactNode } from 'react'
import { Link as RouterLink } from 'react-router'
import { ModelName, Quota } from '../../../domain/index.ts'
import {
  CopyButton,
  formatCount,
  formatDuration,
  formatPercent,
  mono,
  Timestamp,
  useT,
} from '../../../ui/index.ts'
import { abbreviate } from '../../../ui/values/format.ts'
import { sessionLink } from './link.ts'

const modelsShown = 2

export const SessionItem = ({ session, isAdmin }: { session: CallSession; isAdmin: boolean }) => {
  const t = useT()
  const { key, username, first_at, last_at, complete, calls, errors, models } = session
  const tokens = session.prompt_tokens + session.completion_tokens
  const cached = session.prompt_tokens > 0 ? session.read_tokens / session.prompt_tokens : 0
  const link = sessionLink(key, isAdmin ? username : undefined)
  // Sums of the newest rows are lower bounds.
  const least = (text: string) => (complete ? text : `≥ ${text}`)
  return (
    <Box component="li" sx={itemStyles}>
      <Box sx={{ minWidth: 0 }}>
        <Box sx={{ display: 'flex', alignItems: 'center', gap: 0.5, minWidth: 0 }}>
          <Link component={RouterLink} to={link} title={key} noWrap sx={{ fontFamily: mono }}>
            {key}
          </Link>
          <CopyButton text={key} what={t('log-sessions.key')} />
        </Box>
        <Box sx={subtitleStyles}>
          {isAdmin && <span>{username}</span>}
          {models.slice(0, modelsShown).map(name => (
            <ModelName key={name} name={name} width={200} />
          ))}
          {models.length > modelsShown && (
            <span title={models.slice(modelsShown).join(', ')}>
              {t('log-sessions.moreModels', { count: models.length - modelsShown })}
            </span>
          )}
        </Box>
      </Box>
      <Box component="dl" sx={factsStyles}>
        <Fact name={t('log-sessions.last')} styles={wideOnPhones}>
          <Timestamp at={last_at} />
        </Fact>
        <Fact name={t('log-sessions.duration')}>{durationText(last_at - first_at)}</Fact>
        <Fact name={t('log-sessions.calls')} styles={figure}>
          {least(formatCount(calls))}
          {errors > 0 && (
            <Box component="span" sx={{ color: 'error.main', display: 'block', fontSize: 12 }}>
              {t('log-sessions.errors', { count: errors })}
            </Box>
          )}
        </Fact>
        <Fact name={t('log-sessions.tokens')} styles={figure}>
          <span title={formatCount(tokens)}>{least(abbreviate(tokens))}</span>
          {cached > 0 && (
            <Box component="span" sx={{ color: 'success.main', display: 'block', fontSize: 12 }}>
              {t('prompt-cache.ofSession', { percent: formatPercent(cached * 100) })}
            </Box>
          )}
        </Fact>
        <Fact name={t('log-sessions.charge')} styles={figure}>
          {complete ? null : '≥ '}
          <Quota value={session.quota} exact />
        </Fact>
      </Box>
    </Box>
  )
}

const hourSeconds = 3_600

/** Units are the same in every language. One call has no duration between its rows. */
const durationText = (seconds: number): string => {
  if (seconds <= 0) return '–'
  if (seconds < hourSeconds) return formatDuration(seconds * 1_000)
  const minutes = Math.floor((seconds % hourSeconds) / 60)
  return `${formatCount(Math.floor(seconds / hourSeconds))} h ${minutes} min`
}

const wideOnPhones = { gridColumn: { xs: 'span 2', sm: 'auto' } }
const figure = { textAlign: { sm: 'right' } }

type SessionFactProps = { name: string; styles?: SxProps; children: ReactNode }

const Fact = ({ name, styles = {}, children }: SessionFactProps) => (
  <Box sx={styles}>
    <Box component="dt" sx={{ fontSize: 12, color: 'text.secondary' }}>
      {name}
    </Box>
    <Box component="dd" sx={{ m: 0, fontSize: 14, fontVariantNumeric: 'tabular-nums' }}>
      {children}
    </Box>
  </Box>
)

const itemStyles = {
  ...{ display: 'grid', px: 2.5, py: 1.5, columnGap: 3, rowGap: 1 },
  gridTemplateColumns: { xs: 'minmax(0, 1fr)', lg: 'minmax(0, 2fr) minmax(0, 3fr)' },
} as const

const subtitleStyles = {
  ...{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', columnGap: 1.5, rowGap: 0.5 },
  ...{ fontSize: 13, color: 'text.secondary' },
} as const

const factsStyles = {
  ...{ display: 'grid', m: 0, columnGap: 2, rowGap: 1 },
  gridTemplateColumns: { xs: 'repeat(3, minmax(0, 1fr))', sm: '2fr 1.2fr 1fr 1fr 1.2fr' },
} as const
