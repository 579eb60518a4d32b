import type { AuditRow } from '@hub/contract'
import Box from '@mui/material/Box'
import Tooltip from '@mui/material/Tooltip'
import Typography from '@mui/material/Typography'
import { useQuery } from '@tanstack/react-query'
import { api, isRoot, query, useUser } from '../../api/index.ts'
import { useOptionalT } from '../../locales/use-t.ts'
import {
  Badge,
  type Column,
  Copyable,
  DataTable,
  type Filter,
  KeyValue,
  Page,
  Timestamp,
  useT,
} from '../../ui/index.ts'
import { mono } from '../../ui/theme.ts'
import { Changes } from './changes.tsx'
import { useActionName } from './names.ts'

const Outcome = ({ code }: { code: string }) => {
  const optionalT = useOptionalT()
  if (code === '') return <Badge tone="green" labelKey="audit.ok" />
  return (
    <Tooltip title={optionalT(`faults.${code}`) ?? ''}>
      <span>
        <Badge tone="red" text={code} />
      </span>
    </Tooltip>
  )
}

const Actor = ({ row }: { row: AuditRow }) => {
  const t = useT()
  if (row.actor_id) return <span>{`${row.actor_name} (${row.actor_id})`}</span>
  // A sign-in has no session yet; the gateway itself is the actor of automatic changes.
  return <span>{row.actor_name === 'gateway' ? t('audit.system') : row.actor_name || '–'}</span>
}

const Code = ({ children }: { children: string }) => (
  <Box component="span" sx={{ fontFamily: mono, fontSize: 12 }}>
    {children}
  </Box>
)

const Action = ({ action }: { action: string }) => {
  const name = useActionName()(action)
  if (!name) return <Code>{action}</Code>
  return (
    <Tooltip title={<Code>{action}</Code>}>
      <span>{name}</span>
    </Tooltip>
  )
}

const columns: Column<AuditRow>[] = [
  { key: 'id', width: 80, hidden: true },
  { key: 'at', width: 180, render: row => <Timestamp at={row.at} /> },
  { key: 'actor_id', labelKey: 'audit.fields.actor_name', render: row => <Actor row={row} /> },
  { key: 'action', render: row => <Action action={row.action} /> },
  { key: 'target', render: row => (row.target ? <Code>{row.target}</Code> : '–') },
  { key: 'outcome', render: row => <Outcome code={row.outcome} /> },
  { key: 'source_ip' },
  { key: 'request_id', hidden: true, render: row => <Copyable text={row.request_id} /> },
]

const Record = ({ row }: { row: AuditRow }) => {
  const t = useT()
  const isEmpty = Object.keys(row.input).length === 0
  return (
    <>
      <KeyValue
        rows={[
          [t('audit.fields.at'), <Timestamp key="at" at={row.at} />],
          [t('audit.fields.actor_name'), <Actor key="actor" row={row} />],
          [t('audit.fields.action'), <Code key="action">{row.action}</Code>],
          [t('audit.fields.target'), row.target || '–'],
          [t('audit.fields.outcome'), <Outcome key="outcome" code={row.outcome} />],
          [t('audit.fields.source_ip'), row.source_ip || '–'],
          [t('audit.fields.request_id'), <Copyable key="request" text={row.request_id} />],
        ]}
      />
      <Typography variant="h3" sx={{ mt: 3, mb: 1 }}>
        {t('audit.changes')}
      </Typography>
      <Changes row={row} />
      <Typography variant="h3" sx={{ mt: 3, mb: 1 }}>
        {t('audit.input')}
      </Typography>
      {isEmpty ? (
        <Typography variant="body2" sx={{ color: 'text.secondary' }}>
          {t('audit.noInput')}
        </Typography>
      ) : (
        <Box
          component="pre"
          tabIndex={0}
          sx={{
            m: 0,
            p: 1.5,
            fontFamily: mono,
            fontSize: 12,
            borderRadius: '8px',
            border: '1px solid',
            borderColor: 'divider',
            whiteSpace: 'pre-wrap',
            overflowWrap: 'anywhere',
          }}
        >
          {JSON.stringify(row.input, null, 2)}
        </Box>
      )}
    </>
  )
}

const useFilters = (): Filter[] => {
  const t = useT()
  const name = useActionName()
  const { data: actions = [] } = useQuery(query(api.audit.actions))
  const named = actions
    .map(value => ({ value, label: name(value) ?? value }))
    .sort((left, right) => left.label.localeCompare(right.label))
  const outcomes = (['succeeded', 'failed'] as const).map(value => ({
    value,
    label: t(`audit.outcomes.${value}`),
  }))
  return [
    { key: 'keyword', kind: 'text', labelKey: 'audit.fields.keyword' },
    { key: 'actor_name', kind: 'text' },
    { key: 'action', kind: 'select', options: named },
    { key: 'outcome', kind: 'select', options: outcomes },
    { key: 'start_timestamp', kind: 'time' },
    { key: 'end_timestamp', kind: 'time' },
    { key: 'actor_id', kind: 'number' },
  ]
}

export const AuditPage = () => {
  const t = useT()
  const name = useActionName()
  const user = useUser()
  return (
    <Page
      title={t('audit.title')}
      intro={`${t('audit.intro')}${isRoot(user) ? '' : ` ${t('audit.introAdmin')}`}`}
    >
      <DataTable
        resource="audit"
        list={api.audit.list}
        columns={columns}
        filters={useFilters()}
        card={{
          title: row => name(row.action) ?? row.action,
          fields: ['at', 'actor_id', 'target', 'outcome'],
        }}
        drawer={row => <Record row={row} />}
        drawerTitle={row => t('audit.row', { id: row.id })}
      />
    </Page>
  )
}
