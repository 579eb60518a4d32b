import { callbackStates, type Task, taskStatuses } from '@hub/contract'
import { api, type Call, isAdmin, useSite, useUser } from '../../api/index.ts'
import { ModelName } from '../../domain/index.ts'
import { DataTable, type Filter, Page, type T, useT } from '../../ui/index.ts'
import { useListState } from '../../ui/table/state/list-state.ts'
import { useRows } from '../../ui/table/state/use-rows.ts'
import { CallbackSecretButton } from './callback-secret.tsx'
import { columnsFor, isRunning } from './columns.tsx'
import { TaskRecord } from './record.tsx'

const order = '-submit_time'
const refreshSeconds = 3
const platforms = ['video', 'kling', 'suno', 'midjourney']

const filtersFor = (t: T, admin: boolean): Filter[] => [
  { key: 'task_id', kind: 'text' },
  {
    key: 'status',
    kind: 'select',
    options: taskStatuses.map(value => ({ value, label: t(`tasks.statuses.${value}`) })),
  },
  {
    key: 'platform',
    kind: 'select',
    options: platforms.map(value => ({ value, label: t(`tasks.platforms.${value}`) })),
  },
  { key: 'action', kind: 'text' },
  {
    key: 'callback',
    kind: 'select',
    options: callbackStates.map(value => ({ value, label: t(`tasks.callbacks.${value}`) })),
  },
  ...(admin ? adminFilters(t) : []),
  { key: 'start_timestamp', kind: 'time' },
  { key: 'end_timestamp', kind: 'time' },
]

const adminFilters = (t: T): Filter[] => [
  { key: 'username', kind: 'text' },
  { key: 'channel_id', kind: 'number' },
  {
    key: 'orphan',
    kind: 'select',
    options: [
      { value: 'true', label: t('tasks.onlyOrphans') },
      { value: 'false', label: t('tasks.noOrphans') },
    ],
  },
]

export const TasksPage = () => {
  const t = useT()
  const admin = isAdmin(useUser())
  const site = useSite()
  const list = (admin ? api.tasks.list : api.tasks.self) as Call
  const filters = filtersFor(t, admin)
  // Reuses the cached query of the table: it refreshes only while a task on the screen runs.
  const { state } = useListState({
    resource: 'tasks',
    order,
    filterKeys: filters.map(each => each.key),
  })
  const { page } = useRows<Task>({ list }, state)
  const hasRunning = page?.data.some(isRunning) ?? false
  return (
    <Page
      title={t('tasks.title')}
      intro={t(admin ? 'tasks.introAdmin' : 'tasks.intro')}
      actions={<CallbackSecretButton />}
    >
      <DataTable
        resource="tasks"
        list={list}
        columns={columnsFor(admin, site)}
        filters={filters}
        order={order}
        {...(hasRunning && { refreshSeconds })}
        card={{
          title: (row: Task) => row.model,
          fields: ['submit_time', 'platform', 'status', 'duration', 'quota'],
        }}
        drawer={row => <TaskRecord task={row} isAdmin={admin} />}
        drawerTitle={row => <ModelName name={row.model} />}
      />
    </Page>
  )
}
