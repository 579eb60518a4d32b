import type { AvailableModel, Group } from '@hub/contract'
import LockIcon from '@mui/icons-material/LockOutlined'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import CircularProgress from '@mui/material/CircularProgress'
import Stack from '@mui/material/Stack'
import Typography from '@mui/material/Typography'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router'
import { api, isApiError, query } from '../../api/index.ts'
import { EmptyState, ErrorState, formatCount, useSession, useT, type View } from '../../ui/index.ts'
import { ModelCard } from './card.tsx'
import { DetailDialog } from './detail.tsx'
import { Filters } from './filters.tsx'
import { ModelTable } from './list.tsx'
import { type Row, rowsOf } from './rows.ts'
import { useWanted } from './use-wanted.ts'

const atOnce = 60

/** Models and what they cost: to be searched, narrowed and looked at. */
export const Models = ({ view }: { view: View }) => {
  const t = useT()
  const models = useQuery(query(api.models.available))
  const groups = useQuery(query(api.groups.map))
  if (isApiError(models.error) && models.error.code === 'session.missing') return <Closed />
  const error = models.error ?? groups.error
  if (error)
    return (
      <ErrorState
        error={error}
        retry={() => {
          void models.refetch()
          void groups.refetch()
        }}
      />
    )
  if (!models.data || !groups.data)
    return (
      <Box sx={{ display: 'flex', justifyContent: 'center', py: 8 }}>
        <CircularProgress aria-label={t('common.loading')} />
      </Box>
    )
  if (Object.keys(models.data).length === 0)
    return <EmptyState title={t('models.empty')} text={t('models.emptyText')} />
  return <Shelf models={models.data} groups={groups.data} view={view} />
}

const Closed = () => {
  const t = useT()
  return (
    <EmptyState
      icon={<LockIcon />}
      title={t('models.signIn')}
      action={
        <Button component={Link} to="/login" variant="contained">
          {t('menu.login')}
        </Button>
      }
    />
  )
}

type ShelfProps = {
  models: Record<string, AvailableModel>
  groups: Record<string, Group>
  view: View
}

const Shelf = ({ models, groups, view }: ShelfProps) => {
  const t = useT()
  const own = useSession()?.group ?? ''
  const first = own in groups ? own : (Object.keys(groups)[0] ?? '')
  const [wanted, set] = useWanted(first)
  const [count, setCount] = useState(atOnce)
  const [opened, setOpened] = useState<Row>()
  const rows = rowsOf(models, wanted)
  const shown = rows.slice(0, count)
  const group = groups[wanted.group]
  const looks = { group, view, open: setOpened }
  const change = (part: Parameters<typeof set>[0]) => {
    setCount(atOnce)
    set(part)
  }
  return (
    <Stack spacing={2}>
      <Filters {...{ models, groups, wanted }} set={change} />
      <Typography variant="body2" role="status" sx={{ color: 'text.secondary' }}>
        {t('models.count', { count: rows.length, value: formatCount(rows.length) })}
      </Typography>
      {rows.length === 0 && (
        <EmptyState title={t('common.noMatch')} text={t('common.noMatchText')} />
      )}
      {wanted.layout === 'list' && rows.length > 0 && <ModelTable rows={shown} {...looks} />}
      {wanted.layout === 'cards' && (
        <Box
          component="ul"
          sx={{
            listStyle: 'none',
            p: 0,
            m: 0,
            display: 'grid',
            gap: 1.5,
            gridTemplateColumns: 'repeat(auto-fill, minmax(min(100%, 270px), 1fr))',
          }}
        >
          {shown.map(row => (
            <li key={row.model}>
              <ModelCard row={row} {...looks} />
            </li>
          ))}
        </Box>
      )}
      {rows.length > shown.length && (
        <Button
          color="inherit"
          sx={{ alignSelf: 'center' }}
          onClick={() => setCount(count + atOnce)}
        >
          {t('models.more', { count: Math.min(atOnce, rows.length - shown.length) })}
        </Button>
      )}
      {opened && (
        <DetailDialog
          {...{ groups, view }}
          chosen={group}
          row={opened}
          onClose={() => setOpened(undefined)}
        />
      )}
    </Stack>
  )
}
