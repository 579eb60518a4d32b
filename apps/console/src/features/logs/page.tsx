import type { Log } from '@hub/contract'
import Button from '@mui/material/Button'
import Stack from '@mui/material/Stack'
import Tab from '@mui/material/Tab'
import Tabs from '@mui/material/Tabs'
import { type ReactNode, useEffect, useState } from 'react'
import { useSearchParams } from 'react-router'
import { api, type Call, isAdmin, useSite, useUser } from '../../api/index.ts'
import { ModelName } from '../../domain/index.ts'
import { DataTable, type Filter, Page, useT } from '../../ui/index.ts'
import { useListState } from '../../ui/table/state/list-state.ts'
import { useRows } from '../../ui/table/state/use-rows.ts'
import { columnsFor } from './columns.tsx'
import { DeleteDialog } from './delete-dialog.tsx'
import { errorCodeFilter } from './errors.tsx'
import { QuickRanges, startOfWeek } from './ranges.tsx'
import { LogRecord } from './record/record.tsx'
import { Toolbar } from './toolbar.tsx'

const filtersFor = (admin: boolean, isErrors: boolean): Filter[] => [
  {
    key: 'model_name',
    kind: 'text',
    suggestions: (admin ? api.logs.models : api.logs.selfModels) as Call,
  },
  ...(isErrors ? [errorCodeFilter] : []),
  { key: 'token_name', kind: 'text' },
  ...(admin
    ? ([
        { key: 'username', kind: 'text' },
        { key: 'channel_id', kind: 'number' },
      ] as const)
    : []),
  { key: 'source_ip', kind: 'text' },
  { key: 'id', kind: 'number' },
  { key: 'start_timestamp', kind: 'time' },
  { key: 'end_timestamp', kind: 'time' },
]
const order = '-created_at'
const errorType = '5'
const types = ['0', '1', '2', errorType, '3', '4']

export const LogsPage = () => {
  const t = useT()
  const admin = isAdmin(useUser())
  const site = useSite()
  const [type, setType] = useType()
  const [isLive, setIsLive] = useState(false)
  const [isDeleting, setIsDeleting] = useState(false)
  const filters = filtersFor(admin, type === errorType)
  const list = (admin ? api.logs.list : api.logs.self) as Call
  const range = useRangeOfOrder()
  const fixed = { ...(type === '0' ? {} : { log_type: Number(type) }), ...range }
  const refresh = isLive ? { refreshSeconds: 5 } : {}
  // Reuses the cached query of the table, so that the export contains the rows on the screen.
  const { state } = useListState({
    resource: 'logs',
    order,
    filterKeys: filters.map(each => each.key),
  })
  const { page } = useRows<Log>({ list, fixedInput: fixed, ...refresh }, state)

  return (
    <Page
      title={t('logs.title')}
      intro={t(admin ? 'logs.introAdmin' : 'logs.intro')}
      actions={
        admin && (
          <Button variant="outlined" color="error" onClick={() => setIsDeleting(true)}>
            {t('logs.delete.open')}
          </Button>
        )
      }
    >
      <Stack
        direction={{ xs: 'column', md: 'row' }}
        sx={{ justifyContent: 'space-between', alignItems: { md: 'center' }, mb: 1.5, rowGap: 1 }}
      >
        <Tabs
          value={type}
          onChange={(_, next: string) => setType(next)}
          variant="scrollable"
          scrollButtons={false}
          aria-label={t('logs.fields.type')}
          sx={{ minHeight: 36, '& .MuiTab-root': { minHeight: 36, py: 0.5 } }}
        >
          {types.map(each => (
            <Tab key={each} value={each} label={t(`logs.types.${each}`)} />
          ))}
        </Tabs>
        <QuickRanges />
      </Stack>
      <DataTable
        resource="logs"
        list={list}
        columns={columnsFor(admin, type === errorType, site)}
        filters={filters}
        fixedInput={fixed}
        order={order}
        {...refresh}
        toolbar={
          <Toolbar
            isAdmin={admin}
            rows={page?.data ?? []}
            {...{ state, fixed, isLive, setIsLive }}
          />
        }
        card={{
          title: row => titleOf(row, row.content || t(`logs.types.${row.type}`)),
          fields: ['created_at', type === errorType ? 'code' : 'quota', 'request_time'],
        }}
        drawer={row => <LogRecord log={row} isAdmin={admin} />}
        drawerTitle={row => titleOf(row, t(`logs.types.${row.type}`))}
      />
      {isDeleting && <DeleteDialog onClose={() => setIsDeleting(false)} />}
    </Page>
  )
}

const titleOf = ({ model_name }: Log, fallback: string): ReactNode =>
  model_name ? <ModelName name={model_name} /> : fallback

/** The server sorts by charge or duration within a time range only. Without one, seven days are selected. */
const useRangeOfOrder = () => {
  const [params, setParams] = useSearchParams()
  const needsRange =
    /^-?(quota|request_time)$/.test(params.get('order') ?? '') && !params.get('start_timestamp')
  useEffect(() => {
    if (!needsRange) return
    setParams(
      now => {
        const next = new URLSearchParams(now)
        next.set('start_timestamp', String(startOfWeek()))
        return next
      },
      { replace: true, preventScrollReset: true },
    )
  }, [needsRange, setParams])
  return needsRange ? { start_timestamp: startOfWeek() } : {}
}

/** The selected tab, stored in the address like the other filters. */
const useType = () => {
  const [params, setParams] = useSearchParams()
  const current = params.get('log_type') ?? '0'
  const set = (type: string) =>
    setParams(
      now => {
        const next = new URLSearchParams(now)
        if (type === '0') next.delete('log_type')
        else next.set('log_type', type)
        next.delete('page')
        next.delete('after')
        next.delete('open')
        next.delete('code')
        return next
      },
      { preventScrollReset: true },
    )
  return [types.includes(current) ? current : '0', set] as const
}
