import type { Session } from '@hub/contract'
import Box from '@mui/material/Box'
import Stack from '@mui/material/Stack'
import Typography from '@mui/material/Typography'
import { Badge, ConfirmButton, Timestamp, useT } from '../ui/index.ts'

const browsers: [name: string, pattern: RegExp][] = [
  ['Edge', /Edg/],
  ['Opera', /OPR\//],
  ['Firefox', /Firefox|FxiOS/],
  ['Chrome', /Chrome|CriOS/],
  ['Safari', /Safari/],
]
const systems: [name: string, pattern: RegExp][] = [
  ['iOS', /iPhone|iPad/],
  ['Android', /Android/],
  ['Windows', /Windows/],
  ['macOS', /Mac OS X|Macintosh/],
  ['Linux', /Linux/],
]
const firstMatch = (list: typeof browsers, text: string) =>
  list.find(([, pattern]) => pattern.test(text))?.[0]

/** Browser and system of a user agent, or the beginning of an unknown one. */
export const deviceOf = (userAgent: string): string => {
  const known = [firstMatch(browsers, userAgent), firstMatch(systems, userAgent)].filter(Boolean)
  return known.join(' · ') || userAgent.slice(0, 60)
}

type Props = { sessions: readonly Session[]; end: (id: string) => unknown }

/** Where an account is signed in, with a button that ends each session but the own one. */
export const SessionList = ({ sessions, end }: Props) => {
  const t = useT()
  return (
    <Box component="ul" sx={{ m: 0, p: 0, listStyle: 'none' }}>
      {sessions.map(session => (
        <SessionRow key={session.id} session={session} end={() => end(session.id)} />
      ))}
      {sessions.length === 0 && (
        <Typography component="li" variant="body2" sx={{ color: 'text.secondary' }}>
          {t('sessions.none')}
        </Typography>
      )}
    </Box>
  )
}

const SessionRow = ({ session, end }: { session: Session; end: () => unknown }) => {
  const t = useT()
  const { ip, user_agent, created_at, last_seen_at, current } = session
  const device = deviceOf(user_agent) || t('sessions.unknown')
  return (
    <Stack
      component="li"
      direction="row"
      spacing={1}
      sx={{ py: 1, alignItems: 'center', borderBottom: '1px solid', borderColor: 'divider' }}
    >
      <Box sx={{ flex: 1, minWidth: 0 }}>
        <Stack direction="row" spacing={1} sx={{ alignItems: 'center' }}>
          <Typography noWrap sx={{ fontWeight: 600 }} title={user_agent}>
            {device}
          </Typography>
          {current && <Badge tone="green" text={t('sessions.current')} />}
        </Stack>
        <Typography variant="body2" component="div" sx={{ color: 'text.secondary' }}>
          {ip}
          {' · '}
          {t('sessions.signedIn')} <Timestamp at={created_at} />
          {' · '}
          {t('sessions.lastSeen')} <Timestamp at={last_seen_at} />
        </Typography>
      </Box>
      {!current && (
        <ConfirmButton
          size="small"
          aria-label={`${t('sessions.end')}: ${device}, ${ip}`}
          title={t('sessions.endTitle')}
          text={t('sessions.endText', { device, ip })}
          confirmLabel={t('sessions.end')}
          onConfirm={end}
        >
          {t('sessions.end')}
        </ConfirmButton>
      )}
    </Stack>
  )
}
