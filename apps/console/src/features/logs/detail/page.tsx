import BeforeIcon from 'virtual:icons/navigate-before'
import NextIcon from 'virtual:icons/navigate-next'
import { type Log, logTypes } from '@hub/contract'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import IconButton from '@mui/material/IconButton'
import Skeleton from '@mui/material/Skeleton'
import Stack from '@mui/material/Stack'
import Tooltip from '@mui/material/Tooltip'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Link, useLocation, useNavigate, useParams } from 'react-router'
import { api, isAdmin, query, useUser } from '../../../api/index.ts'
import { useKeyDown } from '../../../layout/keyboard/use-key-down.ts'
import { Card, Copyable, ErrorState, Page, Timestamp, useT } from '../../../ui/index.ts'
import { TypeBadge } from '../columns.tsx'
import { ReceiptView } from '../record/receipt-view.tsx'
import { LogFields } from '../record/record.tsx'
import { RouteView } from '../record/route-view.tsx'
import { Outcome } from './outcome.tsx'
import { Repeat } from './repeat.tsx'
import { Timeline } from './timeline.tsx'
import { useNeighbours } from './use-neighbours.ts'

/** One call: how it ended, where its time went, which channels were tried, and what it cost. */
export const LogPage = () => {
  const t = useT()
  const id = Number(useParams().id)
  const { data: log, error, refetch } = useQuery(query(api.logs.get, { id }))
  return (
    <Page
      title={log ? log.model_name || t(`logs.types.${log.type}`) : t('log.title')}
      intro={log && <Subtitle log={log} />}
      actions={<Navigation log={log} />}
    >
      {log ? (
        <Content key={log.id} log={log} />
      ) : error ? (
        <ErrorState error={error} retry={() => void refetch()} />
      ) : (
        <Skeleton variant="rounded" height={480} />
      )}
    </Page>
  )
}

const Subtitle = ({ log }: { log: Log }) => (
  <Stack
    component="span"
    direction="row"
    sx={{ alignItems: 'center', flexWrap: 'wrap', columnGap: 1.5, rowGap: 0.5, mt: 0.5 }}
  >
    <TypeBadge type={log.type} />
    <Timestamp at={log.created_at} />
    <Copyable text={String(log.id)} what="ID" />
  </Stack>
)

/** Buttons and arrow keys that lead to the neighbours in the filter of the list. */
const Navigation = ({ log }: { log: Log | undefined }) => {
  const t = useT()
  const { search } = useLocation()
  const navigate = useNavigate()
  const { newer, older } = useNeighbours(log)
  const open = (id: number) => void navigate(`/panel/log/${id}${search}`, { replace: true })
  useKeyDown((event, typing) => {
    if (typing || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return
    const id = event.key === 'ArrowLeft' ? newer : event.key === 'ArrowRight' ? older : undefined
    if (id) open(id)
  })
  const step = (label: string, id: number | null | undefined, icon: ReactNode) => (
    <Tooltip title={label}>
      <span>
        <IconButton aria-label={label} disabled={!id} onClick={() => id && open(id)}>
          {icon}
        </IconButton>
      </span>
    </Tooltip>
  )
  return (
    <>
      <Button component={Link} to={`/panel/log${search}`} color="inherit" variant="outlined">
        {t('log.back')}
      </Button>
      {step(t('log.newer'), newer, <BeforeIcon />)}
      {step(t('log.older'), older, <NextIcon />)}
    </>
  )
}

const Content = ({ log }: { log: Log }) => {
  const t = useT()
  const admin = isAdmin(useUser())
  const isCharge = log.type === logTypes.consume
  const isCall = isCharge || log.type === logTypes.error
  return (
    <Stack spacing={2}>
      <Outcome log={log} />
      <Box
        sx={{
          display: 'grid',
          gap: 2,
          gridTemplateColumns: { xs: 'minmax(0, 1fr)', lg: 'minmax(0, 3fr) minmax(0, 2fr)' },
          alignItems: 'start',
        }}
      >
        <Stack spacing={2} sx={{ minWidth: 0 }}>
          {isCharge && <Timeline log={log} />}
          {admin && isCall && (
            <Card>
              <RouteView id={log.id} flush />
            </Card>
          )}
          {isCall && <Repeat log={log} />}
        </Stack>
        <Stack spacing={2} sx={{ minWidth: 0 }}>
          {isCharge && (
            <Card>
              <ReceiptView log={log} flush />
            </Card>
          )}
          <Card title={t('log.fields')}>
            <LogFields log={log} isAdmin={admin} />
          </Card>
        </Stack>
      </Box>
    </Stack>
  )
}
