import type { Channel } from '@hub/contract'
import Button from '@mui/material/Button'
import { useState } from 'react'
import { api, useAction } from '../../api/index.ts'
import { ConfirmButton, DataTable, type Filter, notify, Page, useT } from '../../ui/index.ts'
import { columnsFor } from './columns.tsx'
import { CreateChannel, EditChannel } from './form/form.tsx'
import { useGroupSymbols, useProviders } from './queries.ts'
import { ChannelRecord } from './record.tsx'
import { Rounds } from './rounds.tsx'
import { RowActions } from './row-actions.tsx'
import { Tools } from './tools.tsx'

const changed = ['channels', 'models', 'prices']

const RemoveChosen = ({ ids, clear }: { ids: readonly number[]; clear: () => void }) => {
  const t = useT()
  const remove = useAction(changed, api.channels.removeMany)
  const run = async () => {
    const count = await remove({ ids: [...ids] })
    if (count === undefined) return
    notify.success(t('channels.removedMany', { count }))
    clear()
  }
  return (
    <ConfirmButton
      size="small"
      variant="contained"
      title={t('channels.removeChosen', { count: ids.length })}
      text={t('channels.remove.text')}
      verb={t('common.delete')}
      onConfirm={run}
    >
      {t('common.delete')}
    </ConfirmButton>
  )
}

const useFilters = (): Filter[] => {
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
  const filters = useFilters()
  const [editing, setEditing] = useState<Channel>()
  const [creating, setCreating] = useState(false)
  const create = (
    <Button variant="contained" onClick={() => setCreating(true)}>
      {t('channels.create')}
    </Button>
  )
  return (
    <Page
      title={t('channels.title')}
      intro={t('channels.intro')}
      actions={<Tools />}
      primary={create}
    >
      <DataTable
        of="channels"
        list={api.channels.list}
        columns={columnsFor(providers)}
        filters={filters}
        card={{ title: row => row.name, facts: ['type', 'status', 'response_time'] }}
        drawer={row => <ChannelRecord channel={row} />}
        drawerTitle={row => row.name}
        rowActions={row => <RowActions channel={row} edit={() => setEditing(row)} />}
        bulk={(chosen, clear) => <RemoveChosen ids={chosen.map(Number)} clear={clear} />}
        empty={{ action: create }}
      />
      {/* Below: what was found in the last round comes later than the page, and must not push the table down. */}
      <Rounds />
      {creating && <CreateChannel onClose={() => setCreating(false)} />}
      {editing && <EditChannel channel={editing} onClose={() => setEditing(undefined)} />}
    </Page>
  )
}
