import type { AuditRow } from '@hub/contract'
import Box from '@mui/material/Box'
import Tooltip from '@mui/material/Tooltip'
import Typography from '@mui/material/Typography'
import { api } from '../../api/index.ts'
import {
  Badge,
  type Column,
  Copyable,
  DataTable,
  KeyValue,
  Page,
  useT,
  When,
} from '../../ui/index.ts'
import { mono } from '../../ui/theme.ts'
import { useOptionalT } from '../../ui/use-t.ts'

const Outcome = ({ code }: { code: string }) => {
  const words = useOptionalT()
  if (code === '') return <Badge tone="green" label="audit.ok" />
  return (
    <Tooltip title={words(`faults.${code}`) ?? ''}>
      <span>
        <Badge tone="red" text={code} />
      </span>
    </Tooltip>
  )
}

const Actor = ({ row }: { row: AuditRow }) => {
  const t = useT()
  if (row.actor_id) return <span>{`${row.actor_name} (${row.actor_id})`}</span>
  // Who signs in has no session yet; what nobody asked for, the gateway did itself.
  return <span>{row.actor_name === 'gateway' ? t('audit.system') : row.actor_name || '–'}</span>
}

const Code = ({ children }: { children: string }) => (
  <Box component="span" sx={{ fontFamily: mono, fontSize: 12 }}>
    {children}
  </Box>
)

/** `channels.test` in words; a code that has none stays as it is. */
const useActionName = () => {
  const words = useOptionalT()
  return (action: string): string | undefined => {
    const [resource = '', verb = ''] = action.split('.')
    const [what, done] = [words(`audit.resources.${resource}`), words(`audit.verbs.${verb}`)]
    return what && done && `${what} · ${done}`
  }
}

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
  { key: 'at', width: 180, show: row => <When at={row.at} /> },
  { key: 'actor_id', label: 'audit.fields.actor_name', show: row => <Actor row={row} /> },
  { key: 'action', show: row => <Action action={row.action} /> },
  { key: 'target', show: row => (row.target ? <Code>{row.target}</Code> : '–') },
  { key: 'outcome', show: row => <Outcome code={row.outcome} /> },
  { key: 'source_ip' },
  { key: 'request_id', hidden: true, show: row => <Copyable text={row.request_id} /> },
]

const Record = ({ row }: { row: AuditRow }) => {
  const t = useT()
  const isEmpty = Object.keys(row.input).length === 0
  return (
    <>
      <KeyValue
        rows={[
          [t('audit.fields.at'), <When key="at" at={row.at} />],
          [t('audit.fields.actor_name'), <Actor key="actor" row={row} />],
          [t('audit.fields.action'), <Code key="action">{row.action}</Code>],
          [t('audit.fields.target'), row.target || '–'],
          [t('audit.fields.outcome'), <Outcome key="outcome" code={row.outcome} />],
          [t('audit.fields.source_ip'), row.source_ip || '–'],
          [t('audit.fields.request_id'), <Copyable key="request" text={row.request_id} />],
        ]}
      />
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

export const AuditPage = () => {
  const t = useT()
  const name = useActionName()
  return (
    <Page title={t('audit.title')} intro={t('audit.intro')}>
      <DataTable
        of="audit"
        list={api.audit.list}
        columns={columns}
        filters={[
          { key: 'keyword', kind: 'text', label: 'audit.fields.keyword' },
          { key: 'action', kind: 'text' },
          { key: 'actor_id', kind: 'number' },
        ]}
        card={{
          title: row => name(row.action) ?? row.action,
          facts: ['at', 'actor_id', 'target', 'outcome'],
        }}
        drawer={row => <Record row={row} />}
        drawerTitle={row => t('audit.row', { id: row.id })}
      />
    </Page>
  )
}
