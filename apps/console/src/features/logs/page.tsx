import DeleteIcon from 'virtual:icons/delete'
import type { Log } from '@hub/contract'
import Button from '@mui/material/Button'
import Stack from '@mui/material/Stack'
import Tab from '@mui/material/Tab'
import Tabs from '@mui/material/Tabs'
import { type ReactNode, useEffect } from 'react'
import { Link, useLocation } from 'react-router'
import { api, type Call, isAdmin, useSite, useUser } from '../../api/index.ts'
import { useRightRefusal } from '../../api/site.ts'
import { ModelName } from '../../domain/index.ts'
import { DisabledReason } from '../../ui/feedback/row-menu.tsx'
import {
  ActionItem,
  DataTable,
  Page,
  RowMenu,
  useAddress,
  useChoice,
  useDialog,
  useT,
} from '../../ui/index.ts'
import { useListState } from '../../ui/table/state/list-state.ts'
import { columnsFor } from './columns.tsx'
import { DeleteDialog } from './delete-dialog.tsx'
import { errorType, filtersFor, typeInput, typeOf, types } from './filters.ts'
import { Histogram } from './histogram.tsx'
import { SessionSums } from './prompt-cache/session-sums.tsx'
import { QuickRanges, SearchedTime, startOfWeek } from './ranges.tsx'
import { LogRecord } from './record/record.tsx'
import { Toolbar } from './toolbar.tsx'

const order = '-created_at'

export const LogsPage = () => {
  const t = useT()
  const admin = isAdmin(useUser())
  const site = useSite()
  const [type, setType] = useType()
  const [refreshing, setRefreshing] = useChoice('refresh', ['off', 'on'])
  const isLive = refreshing === 'on'
  const setIsLive = (isOn: boolean) => setRefreshing(isOn ? 'on' : 'off')
  const deletion = useDialog('delete')
  const filters = filtersFor(admin, type === errorType)
  const list = (admin ? api.logs.list : api.logs.self) as Call
  const range = useNeededRange()
  const [params] = useAddress()
  const fixed = { ...typeInput(params), ...range }
  const refresh = isLive ? { refreshSeconds: 5 } : {}
  const { state } = useListState({
    resource: 'logs',
    order,
    filterKeys: filters.map(each => each.key),
  })

  return (
    <Page
      title={t('logs.title')}
      intro={t(admin ? 'logs.introAdmin' : 'logs.intro')}
      actions={<Actions remove={admin ? () => deletion.open() : undefined} />}
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
      <SessionSums isAdmin={admin} />
      <Histogram isAdmin={admin} {...{ state, fixed, isLive, type }} />
      <SearchedTime isAdmin={admin} {...{ state, fixed, isLive }} />
      <DataTable
        resource="logs"
        list={list}
        columns={columnsFor(admin, type === errorType, site)}
        filters={filters}
        fixedInput={fixed}
        order={order}
        {...refresh}
        toolbar={<Toolbar isAdmin={admin} {...{ state, fixed, isLive, setIsLive }} />}
        card={{
          title: row => titleOf(row, row.content || t(`logs.types.${row.type}`)),
          fields: ['created_at', type === errorType ? 'code' : 'quota', 'request_time'],
        }}
        drawer={row => (
          <>
            <PageLink id={row.id} />
            <LogRecord log={row} isAdmin={admin} />
          </>
        )}
        drawerTitle={row => titleOf(row, t(`logs.types.${row.type}`))}
      />
      {deletion.isOpen && <DeleteDialog onClose={deletion.close} />}
    </Page>
  )
}

const Actions = ({ remove }: { remove: (() => void) | undefined }) => {
  const t = useT()
  const refusal = useRightRefusal('log_deletion')
  return (
    <>
      <Button component={Link} to="/panel/log/sessions" color="inherit" variant="outlined">
        {t('logs.sessions')}
      </Button>
      {remove && (
        <RowMenu label={t('logs.title')}>
          <ActionItem
            danger
            icon={<DeleteIcon />}
            disabled={refusal !== undefined}
            onClick={remove}
          >
            <DisabledReason reason={refusal}>{t('logs.delete.open')}</DisabledReason>
          </ActionItem>
        </RowMenu>
      )}
    </>
  )
}

const titleOf = ({ model_name }: Log, fallback: string): ReactNode =>
  model_name ? <ModelName name={model_name} /> : fallback

/** Leads to the page of a row, which knows the filter of the list. */
const PageLink = ({ id }: { id: number }) => {
  const t = useT()
  const params = new URLSearchParams(useLocation().search)
  params.delete('open')
  return (
    <Button
      component={Link}
      to={`/panel/log/${id}${params.size > 0 ? `?${params}` : ''}`}
      variant="outlined"
      color="inherit"
      size="small"
      sx={{ mb: 2 }}
    >
      {t('logs.page')}
    </Button>
  )
}

/** The server sorts by charge or duration, and finds a group, within a time range only. Without one, seven days are selected. */
const useNeededRange = () => {
  const [params, change] = useAddress()
  const isSlow = /^-?(quota|request_time)$/.test(params.get('order') ?? '') || params.has('group')
  const needsRange = isSlow && !Number(params.get('start_timestamp'))
  useEffect(() => {
    if (needsRange) change({ start_timestamp: String(startOfWeek()) }, { replace: true })
  }, [needsRange, change])
  return needsRange ? { start_timestamp: startOfWeek() } : {}
}

/** The selected tab, stored in the address like the other filters. */
const useType = () => {
  const [params, change] = useAddress()
  const set = (type: string) =>
    change({ log_type: type === '0' ? '' : type, page: '', after: '', open: '', code: '' })
  return [typeOf(params), set] as const
}
