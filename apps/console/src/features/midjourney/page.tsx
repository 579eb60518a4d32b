import type { MidjourneyTask } from '@hub/contract'
import { api, type Call, isAdmin, useSite, useUser } from '../../api/index.ts'
import { DataTable, type Filter, Page, useT } from '../../ui/index.ts'
import { useListState } from '../../ui/table/state/list-state.ts'
import { useRows } from '../../ui/table/state/use-rows.ts'
import { columnsFor, isRunning } from './columns.tsx'
import { MidjourneyRecord } from './record.tsx'

const order = '-submit_time'
const refreshSeconds = 3

const filtersFor = (admin: boolean): Filter[] => [
  { key: 'mj_id', kind: 'text' },
  ...(admin ? adminFilters : []),
  { key: 'start_timestamp', kind: 'time' },
  { key: 'end_timestamp', kind: 'time' },
]

const adminFilters: Filter[] = [
  { key: 'username', kind: 'text' },
  { key: 'channel_id', kind: 'number' },
]

export const MidjourneyPage = () => {
  const t = useT()
  const admin = isAdmin(useUser())
  const site = useSite()
  const list = (admin ? api.midjourney.list : api.midjourney.self) as Call
  const filters = filtersFor(admin)
  // Reuses the cached query of the table: it refreshes only while a task on the screen runs.
  const { state } = useListState({
    resource: 'midjourney',
    order,
    filterKeys: filters.map(each => each.key),
  })
  const { page } = useRows<MidjourneyTask>({ list }, state)
  const hasRunning = page?.data.some(isRunning) ?? false
  return (
    <Page
      title={t('midjourney.title')}
      intro={t(admin ? 'midjourney.introAdmin' : 'midjourney.intro')}
    >
      <DataTable
        resource="midjourney"
        list={list}
        columns={columnsFor(admin, site)}
        filters={filters}
        order={order}
        {...(hasRunning && { refreshSeconds })}
        card={{
          title: (row: MidjourneyTask) => row.prompt || row.mj_id,
          fields: ['submit_time', 'action', 'status', 'duration', 'quota', 'outcome'],
        }}
        drawer={row => <MidjourneyRecord key={row.id} task={row} isAdmin={admin} />}
        drawerTitle={row => row.mj_id}
      />
    </Page>
  )
}
