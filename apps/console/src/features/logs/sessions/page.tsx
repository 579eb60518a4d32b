import TerminalIcon from 'virtual:icons/terminal'
import type { CallSessions } from '@hub/contract'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Skeleton from '@mui/material/Skeleton'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { api, isAdmin, query, useUser } from '../../../api/index.ts'
import { Card, EmptyState, ErrorState, Page, useAddress, useT } from '../../../ui/index.ts'
import { SessionItem } from './item.tsx'

/** Sessions of coding agents and other clients, by their last call. Each leads to its calls. */
export const SessionsPage = () => {
  const t = useT()
  const admin = isAdmin(useUser())
  const [params] = useAddress()
  const after = params.get('after') ?? undefined
  const page = after ? { after } : {}
  const { data, error, refetch } = useQuery({
    ...(admin ? query(api.logs.sessions, page) : query(api.logs.selfSessions, page)),
    placeholderData: keepPreviousData,
    refetchInterval: after ? false : 30_000,
  })
  return (
    <Page
      title={t('log-sessions.title')}
      intro={t(admin ? 'log-sessions.introAdmin' : 'log-sessions.intro')}
      actions={
        <Button component={Link} to="/panel/log" color="inherit" variant="outlined">
          {t('log-sessions.toLogs')}
        </Button>
      }
    >
      {error && <ErrorState error={error} retry={() => void refetch()} />}
      {data && <Sessions page={data} isAdmin={admin} isFirst={!after} />}
      {!data && !error && <Skeleton variant="rounded" height={640} />}
    </Page>
  )
}

type Props = { page: CallSessions; isAdmin: boolean; isFirst: boolean }

const Sessions = ({ page: { data, next }, isAdmin: admin, isFirst }: Props) => {
  const t = useT()
  return (
    <>
      <Card flush>
        {data.length === 0 && (
          <EmptyState
            icon={<TerminalIcon />}
            title={t(isFirst ? 'log-sessions.none' : 'log-sessions.noMore')}
            text={isFirst ? t('log-sessions.noneText') : undefined}
          />
        )}
        <Box component="ul" sx={listStyles}>
          {data.map(session => (
            <SessionItem
              key={`${session.user_id} ${session.key}`}
              session={session}
              isAdmin={admin}
            />
          ))}
        </Box>
      </Card>
      <Box sx={{ display: 'flex', justifyContent: 'flex-end', gap: 1, mt: 1.5 }}>
        {!isFirst && (
          <Button component={Link} to="?" color="inherit" variant="outlined">
            {t('log-sessions.newest')}
          </Button>
        )}
        {next && (
          <Button component={Link} to={`?after=${next}`} color="inherit" variant="outlined">
            {t('log-sessions.older')}
          </Button>
        )}
      </Box>
    </>
  )
}

const listStyles = {
  ...{ listStyle: 'none', m: 0, p: 0 },
  '& > li + li': { borderTop: '1px solid', borderColor: 'divider' },
} as const
