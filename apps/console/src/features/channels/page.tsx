import EditIcon from 'virtual:icons/edit'
import FiguresIcon from 'virtual:icons/insights'
import Button from '@mui/material/Button'
import { Link as RouterLink, useNavigate } from 'react-router'
import { api } from '../../api/index.ts'
import { ActionItem, DataTable, type Filter, Page, useT } from '../../ui/index.ts'
import { BatchActions } from './batch/batch-actions.tsx'
import { BatchRuns } from './batch-runs.tsx'
import { CardLine, CardTitle, columnsFor } from './columns.tsx'
import { MaintenanceMenu } from './maintenance-menu.tsx'
import { useGroupSymbols, useProviders } from './queries.ts'
import { ChannelRecord } from './record.tsx'
import { RowActions } from './row-actions.tsx'

const useChannelFilters = (): Filter[] => {
  const t = useT()
  const groups = useGroupSymbols()
  const providers = useProviders()
  return [
    { key: 'name', kind: 'text' },
    { key: 'models', kind: 'text' },
    {
      key: 'type',
      kind: 'select',
      options: providers.map(({ type, name }) => ({ value: type, label: name })),
    },
    {
      key: 'status',
      kind: 'select',
      options: [1, 2, 3].map(value => ({ value, label: t(`channels.status.${value}`) })),
    },
    {
      key: 'group',
      kind: 'select',
      options: groups.map(group => ({ value: group, label: group })),
    },
    { key: 'tag', kind: 'text' },
    { key: 'test_model', kind: 'text' },
    { key: 'other', kind: 'text' },
  ]
}

export const ChannelsPage = () => {
  const t = useT()
  const providers = useProviders()
  const filters = useChannelFilters()
  const create = (
    <Button variant="contained" component={RouterLink} to="/panel/channel/new">
      {t('channels.create')}
    </Button>
  )
  return (
    <Page
      title={t('channels.title')}
      intro={t('channels.intro')}
      actions={<MaintenanceMenu />}
      primaryAction={create}
    >
      <DataTable
        resource="channels"
        list={api.channels.list}
        columns={columnsFor(providers)}
        filters={filters}
        card={{
          title: row => <CardTitle channel={row} />,
          fields: [],
          line: row => <CardLine channel={row} />,
        }}
        drawer={row => <ChannelRecord channel={row} />}
        drawerTitle={row => row.name}
        rowActions={row => (
          <RowActions channel={row}>
            <PageItems id={row.id} />
          </RowActions>
        )}
        bulkActions={(selected, clear) => <BatchActions ids={selected.map(Number)} clear={clear} />}
        empty={{ action: create }}
      />
      {/* Below the table, because batch runs load after the page and must not push the table down. */}
      <BatchRuns />
    </Page>
  )
}

/** The ways to the page of a channel. */
const PageItems = ({ id }: { id: number }) => {
  const t = useT()
  const navigate = useNavigate()
  const page = `/panel/channel/${id}`
  return (
    <>
      <ActionItem icon={<FiguresIcon />} onClick={() => void navigate(page)}>
        {t('channels.figures')}
      </ActionItem>
      <ActionItem icon={<EditIcon />} onClick={() => void navigate(`${page}?tab=settings`)}>
        {t('common.edit')}
      </ActionItem>
    </>
  )
}
