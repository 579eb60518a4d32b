import PauseIcon from 'virtual:icons/pause'
import PlayIcon from 'virtual:icons/play-arrow'
import type { LiveCall } from '@hub/contract'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { Link } from 'react-router'
import { api } from '../../api'
import { ModelMark, Quota } from '../../domain'
import {
  Card,
  EmptyState,
  ErrorState,
  formatCount,
  formatDuration,
  formatTime,
  mono,
  StatusDot,
  useT,
} from '../../ui'

export const shownCalls = 10
const pollMs = 3_000
const queryKey = ['operations', 'live calls']

/** The newest calls, each once. */
export const merge = (before: readonly LiveCall[], found: readonly LiveCall[]): LiveCall[] => {
  const byId = new Map([...before, ...found].map(call => [call.id, call]))
  return [...byId.values()]
    .toSorted((a, b) => b.created_at - a.created_at || b.id - a.id)
    .slice(0, shownCalls)
}

/** Polls for calls since the newest known one. A hidden tab does not poll. */
export const useLiveCalls = (isWaiting: boolean) => {
  const client = useQueryClient()
  return useQuery({
    queryKey,
    queryFn: async ({ signal }) => {
      const before = client.getQueryData<LiveCall[]>(queryKey) ?? []
      const since = before[0]?.created_at
      const { calls } = await api.operations.calls(since === undefined ? {} : { since }, signal)
      return merge(before, calls)
    },
    refetchInterval: isWaiting ? false : pollMs,
    refetchOnWindowFocus: !isWaiting,
  })
}

/** The latest calls as they end. It waits while it is paused, pointed at, or focused: a row must not change under a click. */
export const LiveTail = () => {
  const t = useT()
  const [isPaused, setPaused] = useState(false)
  const [isHeld, setHeld] = useState(false)
  const { data, error, refetch } = useLiveCalls(isPaused || isHeld)
  return (
    <Card
      title={t('operations.live.title')}
      intro={t('operations.live.intro')}
      actions={
        <Button
          size="small"
          color="inherit"
          variant="outlined"
          startIcon={isPaused ? <PlayIcon /> : <PauseIcon />}
          onClick={() => setPaused(!isPaused)}
          sx={{ flexShrink: 0 }}
        >
          {t(isPaused ? 'operations.live.resume' : 'operations.live.pause')}
        </Button>
      }
    >
      {error && <ErrorState error={error} retry={() => void refetch()} />}
      <Box
        component="ol"
        aria-label={t('operations.live.title')}
        onPointerEnter={() => setHeld(true)}
        onPointerLeave={() => setHeld(false)}
        onFocus={() => setHeld(true)}
        onBlur={() => setHeld(false)}
        sx={listStyles}
      >
        {data?.length === 0 && (
          <li>
            <EmptyState title={t('operations.live.none')} text={t('operations.live.noneText')} />
          </li>
        )}
        {data?.map((call, place) => (
          // Rows are places whose content changes, so that no element moves when a call arrives.
          // biome-ignore lint/suspicious/noArrayIndexKey: the key is the place itself.
          <Row key={place} call={call} />
        ))}
      </Box>
    </Card>
  )
}

const Row = ({ call }: { call: LiveCall }) => {
  const t = useT()
  const { model_name, channel, username, token_name } = call
  return (
    <li>
      <Box component={Link} to={`/panel/log/${call.id}`} sx={rowStyles}>
        <Part area="time" isQuiet>
          {formatTime(call.created_at).slice(11)}
        </Part>
        <Part area="outcome">
          <OutcomeText call={call} />
        </Part>
        <Part area="model">
          {model_name && <ModelMark name={model_name} size={14} />} {model_name || '–'}
        </Part>
        <Part area="caller" isQuiet title={`${username} · ${token_name}`}>
          {username} · {token_name}
        </Part>
        <Part area="channel" isQuiet title={channel}>
          {channel || t('operations.live.noChannel')}
        </Part>
        <Part area="duration" isQuiet>
          {formatDuration(call.request_time)}
        </Part>
        <Part area="charge">{call.code ? '–' : <Quota value={call.quota} exact />}</Part>
      </Box>
    </li>
  )
}

const OutcomeText = ({ call: { code, count, finish } }: { call: LiveCall }) => {
  const t = useT()
  if (code)
    return (
      <>
        <StatusDot tone="red" />
        <Box component="span" title={code} sx={{ fontFamily: mono, fontSize: 12 }}>
          {code}
          {count > 1 && ` × ${formatCount(count)}`}
        </Box>
      </>
    )
  const end = finish ?? 'complete'
  return (
    <>
      <StatusDot tone={end === 'complete' ? 'green' : 'amber'} />
      {t(`operations.live.ends.${end}`)}
    </>
  )
}

type CallPartProps = {
  area: string
  title?: string
  isQuiet?: boolean
  children: ReactNode
}

const Part = ({ area, title, isQuiet = false, children }: CallPartProps) => (
  <Box
    component="span"
    title={title}
    sx={{
      gridArea: area,
      ...{ minWidth: 0, overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap' },
      ...(area === 'channel' && { display: { xs: 'none', md: 'block' } }),
      ...(isQuiet && { color: 'text.secondary' }),
      textAlign: alignments[area],
    }}
  >
    {children}
  </Box>
)

const alignments: Record<string, { xs: 'left' | 'right'; md: 'left' | 'right' }> = {
  caller: { xs: 'right', md: 'left' },
  duration: { xs: 'left', md: 'right' },
  charge: { xs: 'right', md: 'right' },
}

/** Pixels of one call, on phones in two lines. */
const rowHeight = { xs: 56, md: 40 }
const listHeight = {
  xs: shownCalls * rowHeight.xs + shownCalls - 1,
  md: shownCalls * rowHeight.md + shownCalls - 1,
}

const listStyles = {
  ...{ listStyle: 'none', m: 0, p: 0, mx: -1 },
  minHeight: listHeight,
  '& > li + li': { borderTop: '1px solid', borderColor: 'divider' },
} as const

const rowStyles = {
  ...{ display: 'grid', alignContent: 'center', alignItems: 'center', columnGap: 1.5, px: 1 },
  ...{ color: 'text.primary', textDecoration: 'none', fontSize: 13 },
  fontVariantNumeric: 'tabular-nums',
  height: rowHeight,
  gridTemplateColumns: {
    xs: '64px minmax(0, 1fr) minmax(0, 92px)',
    md: '64px minmax(0, 1.3fr) minmax(0, 1.6fr) minmax(0, 1.4fr) minmax(0, 1.3fr) 76px 92px',
  },
  gridTemplateAreas: {
    xs: '"time model charge" "duration outcome caller"',
    md: '"time outcome model caller channel duration charge"',
  },
  '&:hover': { bgcolor: 'action.hover' },
} as const
