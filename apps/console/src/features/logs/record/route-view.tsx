import {
  type CallRoute,
  emptyAnswer,
  type FailedAttempt,
  hedgeCancelled,
  passedOverMax,
  type VirtualRoute,
} from '@hub/contract'
import Box from '@mui/material/Box'
import Skeleton from '@mui/material/Skeleton'
import Stack from '@mui/material/Stack'
import Typography from '@mui/material/Typography'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { api, query } from '../../../api/index.ts'
import { ModelName } from '../../../domain/index.ts'
import { Badge, formatCount, formatDuration, type T, useT } from '../../../ui/index.ts'

/** The channels that a call tried, as a waterfall, and why it did not try the others. For administrators. */
export const RouteView = ({ id, flush = false }: { id: number; flush?: boolean }) => {
  const t = useT()
  const { data: route, isPending } = useQuery({
    ...query(api.logs.route, { id }),
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
  })
  const mt = flush ? 0 : 3
  if (isPending) return <Skeleton variant="rounded" height={160} sx={{ mt }} />
  if (!route) return null
  return (
    <Stack spacing={1.5} sx={{ mt }}>
      <Typography variant="h3">{t('logs.route.title')}</Typography>
      <Box sx={{ fontSize: 13 }}>{summaryOf(t, route)}</Box>
      {route.attempts.length > 0 && <Waterfall route={route} />}
      {route.virtual && <VirtualCandidates virtual={route.virtual} />}
      <PassedOver route={route} />
      {route.disabled.length > 0 && (
        <ChannelList title={t('logs.route.disabled')}>
          {route.disabled.map(({ channel_id, channel, status }) => (
            <Entry
              key={channel_id}
              name={nameOf({ channel_id, channel })}
              text={t(`logs.route.status.${status === 3 ? 3 : 2}`)}
            />
          ))}
        </ChannelList>
      )}
    </Stack>
  )
}

const nameOf = ({ channel_id, channel }: { channel_id: number; channel: string }) =>
  `${channel_id} (${channel || '?'})`

/** Attempts of which another one was quicker, and answers that were delivered without content. */
const notFailures: ReadonlySet<string> = new Set([hedgeCancelled, emptyAnswer])

const summaryOf = (t: T, route: CallRoute): string => {
  const { attempts, served, stop, priority = 0, drawn_from: drawnFrom, candidates, warm } = route
  const failed = attempts.filter(each => !notFailures.has(each.code)).length
  const channel = served ? nameOf(served) : ''
  const sentences = [
    served
      ? t(`logs.route.${['answered', 'answeredAfterOne'][failed] ?? 'answeredAfter'}`, {
          channel,
          count: failed,
        })
      : t('logs.route.unanswered'),
    stop ? t(`logs.route.stop.${stop}`) : '',
    drawnFrom === undefined || !served || warm
      ? ''
      : t(drawnFrom > 1 ? 'logs.route.drawn' : 'logs.route.sole', { count: drawnFrom, priority }),
    warm ? t('logs.route.warm') : '',
    t('logs.route.candidates', { count: candidates }),
  ]
  return sentences.filter(each => each !== '').join(' ')
}

/** Attempts of earlier releases have no beginning, and are drawn one after another. */
const withBeginnings = (attempts: readonly FailedAttempt[]) => {
  let end = 0
  return attempts.map(attempt => {
    const after = attempt.after ?? end
    end = after + attempt.milliseconds
    return { ...attempt, after }
  })
}

const Waterfall = ({ route }: { route: CallRoute }) => {
  const t = useT()
  const { served, request_time: total } = route
  return (
    <Stack spacing={1.5}>
      {withBeginnings(route.attempts).map(attempt => (
        <Attempt
          key={`${attempt.after} ${attempt.channel_id}`}
          {...{ attempt, total }}
          badge={<AttemptBadge attempt={attempt} />}
          color={notFailures.has(attempt.code) ? 'text.disabled' : 'error.main'}
        >
          {attempt.detail}
        </Attempt>
      ))}
      {served && (
        <Attempt
          {...{ attempt: served, total }}
          badge={<Badge tone="green" text={t('logs.route.ok')} />}
          color="success.main"
        />
      )}
    </Stack>
  )
}

const AttemptBadge = ({ attempt: { status, code } }: { attempt: FailedAttempt }) => {
  const t = useT()
  if (code === hedgeCancelled) return <Badge text={t('logs.route.cancelled')} />
  if (code === emptyAnswer) return <Badge text={t('logs.route.empty')} />
  return <Badge tone="red" text={status === null ? code : `${status} · ${code}`} />
}

type AttemptProps = {
  attempt: {
    channel_id: number
    channel: string
    model?: string | undefined
    after: number
    milliseconds: number
  }
  /** Milliseconds of the whole call. */
  total: number
  badge: ReactNode
  color: 'success.main' | 'error.main' | 'text.disabled'
  children?: ReactNode
}

const Attempt = ({ attempt, total, badge, color, children }: AttemptProps) => {
  const t = useT()
  const { after, milliseconds } = attempt
  const whole = Math.max(1, total, after + milliseconds)
  return (
    <Box sx={{ border: '1px solid', borderColor: 'divider', borderRadius: '8px', p: 1.5 }}>
      <Stack
        direction="row"
        spacing={1}
        useFlexGap
        sx={{ alignItems: 'center', flexWrap: 'wrap', fontSize: 13 }}
      >
        <Box component="strong" sx={{ overflowWrap: 'anywhere', minWidth: 0 }}>
          {nameOf(attempt)}
        </Box>
        {attempt.model && <ModelName name={attempt.model} />}
        {badge}
      </Stack>
      <Box sx={{ mt: 1, height: 6, borderRadius: '3px', bgcolor: 'action.hover' }} aria-hidden>
        <Box
          sx={{
            ml: `${Math.min(99, (100 * after) / whole)}%`,
            width: `${Math.max(1, (100 * milliseconds) / whole)}%`,
            height: '100%',
            borderRadius: '3px',
            bgcolor: color,
          }}
        />
      </Box>
      <Box sx={{ mt: 0.75, fontSize: 12, color: 'text.secondary' }}>
        {t('logs.route.timeline', {
          after: formatDuration(after),
          milliseconds: formatDuration(milliseconds),
        })}
      </Box>
      {children && (
        <Box sx={{ mt: 1, fontSize: 13, overflowWrap: 'anywhere', whiteSpace: 'pre-wrap' }}>
          {children}
        </Box>
      )}
    </Box>
  )
}

/** The candidates of a virtual model: those that were asked, and why the others were not. */
const VirtualCandidates = ({ virtual }: { virtual: VirtualRoute }) => {
  const t = useT()
  const { name, version, candidates } = virtual
  return (
    <ChannelList title={t('logs.route.virtual.title', { name, version })}>
      {candidates.map(({ model, group, tier, tried, reason }, index) => (
        <Entry
          // biome-ignore lint/suspicious/noArrayIndexKey: equal rows have no other key, and none has state or moves.
          key={index}
          name={group === '' ? model : `${model} (${group})`}
          note={t('logs.route.virtual.tier', { tier })}
          text={t(
            reason
              ? `logs.route.virtual.reason.${reason}`
              : `logs.route.virtual.${tried ? 'tried' : 'unneeded'}`,
          )}
        />
      ))}
    </ChannelList>
  )
}

const PassedOver = ({ route }: { route: CallRoute }) => {
  const t = useT()
  const { passed_over: list, more } = route
  if (list.length === 0) return null
  return (
    <ChannelList title={t('logs.route.others')}>
      {list.map(({ channel_id, channel, priority, reason, milliseconds }) => (
        <Entry
          key={channel_id}
          name={nameOf({ channel_id, channel })}
          note={t('logs.route.priority', { priority })}
          text={
            reason === 'cooling_down' && milliseconds !== undefined
              ? t('logs.route.reason.cooling_for', { time: formatDuration(milliseconds) })
              : t(`logs.route.reason.${reason}`)
          }
        />
      ))}
      {more > 0 && <Entry name={t('logs.route.more', { count: formatCount(more) })} text="" />}
      {route.served && list.length >= passedOverMax && (
        <Entry name={t('logs.route.not_counted')} text="" />
      )}
    </ChannelList>
  )
}

const ChannelList = ({ title, children }: { title: string; children: ReactNode }) => (
  <Box>
    <Typography variant="h4" sx={{ fontSize: 13, fontWeight: 600, mb: 0.5 }}>
      {title}
    </Typography>
    <Box component="ul" sx={{ listStyle: 'none', m: 0, p: 0, fontSize: 13 }}>
      {children}
    </Box>
  </Box>
)

const Entry = ({ name, note, text }: { name: string; note?: string; text: string }) => (
  <Box
    component="li"
    sx={{
      display: 'flex',
      flexWrap: 'wrap',
      columnGap: 1.5,
      justifyContent: 'space-between',
      py: 0.75,
      borderBottom: '1px solid',
      borderColor: 'divider',
    }}
  >
    <span>
      {name}
      {note && (
        <Box component="span" sx={{ ml: 1, color: 'text.secondary', fontSize: 12 }}>
          {note}
        </Box>
      )}
    </span>
    <Box component="span" sx={{ color: 'text.secondary' }}>
      {text}
    </Box>
  </Box>
)
