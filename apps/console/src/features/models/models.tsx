import LockIcon from 'virtual:icons/lock'
import type { Group } from '@hub/contract'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import CircularProgress from '@mui/material/CircularProgress'
import Stack from '@mui/material/Stack'
import Typography from '@mui/material/Typography'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router'
import { api, isApiError, query, useSession } from '../../api/index.ts'
import type { PriceView } from '../../domain/index.ts'
import { useModelDescriptions } from '../../domain/model-info/index.ts'
import { EmptyState, ErrorState, formatCount, useDialog, useT } from '../../ui/index.ts'
import { ModelCard } from './card.tsx'
import { DescriptionFilters } from './description-filters.tsx'
import { DetailDialog } from './detail.tsx'
import { Filters } from './filters.tsx'
import { ModelTable } from './list.tsx'
import {
  type AvailableModels,
  choicesOf,
  type Descriptions,
  type ModelRow,
  rowOf,
  rowsOf,
} from './rows.ts'
import { useModelFilters } from './use-model-filters.ts'

const pageSize = 60

/** The searchable list of models and their prices. */
export const Models = ({ view }: { view: PriceView }) => {
  const t = useT()
  const models = useQuery(query(api.models.available))
  const groups = useQuery(query(api.groups.map))
  const descriptions = useModelDescriptions()
  if (isApiError(models.error) && models.error.code === 'session.missing') return <SignInRequired />
  const error = models.error ?? groups.error ?? descriptions.error
  if (error)
    return (
      <ErrorState
        error={error}
        retry={() => {
          void models.refetch()
          void groups.refetch()
          void descriptions.refetch()
        }}
      />
    )
  if (!models.data || !groups.data || !descriptions.data)
    return (
      <Box sx={{ display: 'flex', justifyContent: 'center', py: 8 }}>
        <CircularProgress aria-label={t('common.loading')} />
      </Box>
    )
  if (Object.keys(models.data).length === 0)
    return <EmptyState title={t('models.empty')} text={t('models.emptyText')} />
  return (
    <ModelBrowser
      models={models.data}
      groups={groups.data}
      descriptions={descriptions.data}
      view={view}
    />
  )
}

const SignInRequired = () => {
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

type ModelBrowserProps = {
  models: AvailableModels
  groups: Record<string, Group>
  descriptions: Descriptions
  view: PriceView
}

const ModelBrowser = ({ models, groups, descriptions, view }: ModelBrowserProps) => {
  const t = useT()
  const userGroup = useSession()?.group ?? ''
  const initialGroup = userGroup in groups ? userGroup : (Object.keys(groups)[0] ?? '')
  const [filters, setParams] = useModelFilters(initialGroup)
  const [count, setCount] = useState(pageSize)
  const detail = useDialog('model')
  const rows = rowsOf(models, descriptions, filters)
  const opened = rowOf(models, descriptions, detail.id)
  const shown = rows.slice(0, count)
  const group = groups[filters.group]
  const viewProps = { group, view, open: ({ model }: ModelRow) => detail.open(model) }
  const setFilters = (part: Parameters<typeof setParams>[0]) => {
    setCount(pageSize)
    setParams(part)
  }
  return (
    <Stack spacing={2}>
      <Filters {...{ models, groups, filters }} set={setFilters} />
      <DescriptionFilters {...choicesOf(models, descriptions)} {...{ filters }} set={setFilters} />
      <Typography variant="body2" role="status" sx={{ color: 'text.secondary' }}>
        {t('models.count', { count: rows.length, value: formatCount(rows.length) })}
      </Typography>
      {rows.length === 0 && (
        <EmptyState title={t('common.noMatch')} text={t('common.noMatchText')} />
      )}
      {filters.layout === 'list' && rows.length > 0 && <ModelTable rows={shown} {...viewProps} />}
      {filters.layout === 'cards' && (
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
              <ModelCard row={row} {...viewProps} />
            </li>
          ))}
        </Box>
      )}
      {rows.length > shown.length && (
        <Button
          color="inherit"
          sx={{ alignSelf: 'center' }}
          onClick={() => setCount(count + pageSize)}
        >
          {t('models.more', { count: Math.min(pageSize, rows.length - shown.length) })}
        </Button>
      )}
      {opened && (
        <DetailDialog {...{ groups, view }} selected={group} row={opened} onClose={detail.close} />
      )}
    </Stack>
  )
}
