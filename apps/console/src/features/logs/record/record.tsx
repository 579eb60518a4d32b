import { type Log, logTypes } from '@hub/contract'
import Alert from '@mui/material/Alert'
import Box from '@mui/material/Box'
import Skeleton from '@mui/material/Skeleton'
import Stack from '@mui/material/Stack'
import { lazy, Suspense } from 'react'
import { Link } from 'react-router'
import { Quota } from '../../../domain/index.ts'
import {
  Badge,
  Copyable,
  formatCount,
  KeyValue,
  type KeyValueRow,
  mono,
  Timestamp,
  useT,
} from '../../../ui/index.ts'
import { isCharge, Timing, TypeBadge } from '../columns.tsx'
import { useContent } from '../content.ts'
import { useErrorRows } from '../errors.tsx'
import { useCacheRows } from '../prompt-cache/call-cache.tsx'
import { sessionLink } from '../sessions/link.ts'
import { ReceiptView } from './receipt-view.tsx'

const RouteView = lazy(async () => ({ default: (await import('./route-view.tsx')).RouteView }))

type LogProps = { log: Log; isAdmin: boolean }

/** All fields of a log entry, and for a call how its charge was calculated and how it was routed. */
export const LogRecord = ({ log, isAdmin }: LogProps) => {
  const hasReceipt = log.type === logTypes.consume
  return (
    <>
      <LogFields log={log} isAdmin={isAdmin} />
      {hasReceipt && <ReceiptView log={log} />}
      {isAdmin && (hasReceipt || log.type === logTypes.error) && (
        <Suspense fallback={<Skeleton variant="rounded" height={160} sx={{ mt: 3 }} />}>
          <RouteView id={log.id} />
        </Suspense>
      )}
    </>
  )
}

/** All fields of a log entry. */
export const LogFields = ({ log, isAdmin }: LogProps) => {
  const t = useT()
  const errorRows = useErrorRows()
  const contentOf = useContent()
  const label = (key: string) => t(`logs.fields.${key}`)
  const { metadata } = log
  const isError = log.type === logTypes.error
  const copyable = (value: unknown) => (value ? <Copyable text={String(value)} /> : '–')
  const adminRows: KeyValueRow[] = [
    [label('channel'), log.channel_id ? `${log.channel_id} (${log.channel?.name ?? '?'})` : '–'],
    [label('username'), copyable(log.username)],
    ...(metadata.billing_tag
      ? [[label('billing_tag'), copyable(metadata.billing_tag)] as const]
      : []),
  ]
  const modelRows: KeyValueRow[] = [[label('model_name'), copyable(log.model_name)]]
  const callRows: KeyValueRow[] = [
    ...modelRows,
    ...(metadata.requested_model
      ? [[label('requested_model'), copyable(metadata.requested_model)] as const]
      : []),
    [label('token_name'), copyable(log.token_name)],
    [label('group'), String(metadata.group_name ?? '') || '–'],
    [label('duration'), <Timing key="timing" log={log} />],
    [label('is_stream'), t(log.is_stream ? 'common.yes' : 'common.no')],
    [label('input'), formatCount(log.prompt_tokens)],
    ...useCacheRows(log),
    [label('output'), formatCount(log.completion_tokens)],
    ...(metadata.finish
      ? [[label('finish'), <Finish key="finish" value={String(metadata.finish)} />] as const]
      : []),
  ]
  return (
    <>
      <Stack spacing={1} sx={{ mb: 1 }}>
        {usageNotes(metadata).map(({ key, values }) => (
          <Alert key={key} severity="info" variant="outlined">
            {t(`logs.notes.${key}`, values)}
          </Alert>
        ))}
        {typeof metadata.output_limit === 'number' && (
          <Alert severity="info" variant="outlined">
            {t('logs.notes.output_limit', { tokens: formatCount(metadata.output_limit) })}
          </Alert>
        )}
        {Array.isArray(metadata.notes) && metadata.notes.length > 0 && (
          <Alert severity="warning" variant="outlined">
            {t('logs.notes.dropped', { names: metadata.notes.map(nameOfNote).join(', ') })}
          </Alert>
        )}
        {Array.isArray(metadata.headers_not_passed) && (
          <Alert severity="info" variant="outlined">
            {t('logs.notes.headers', { names: metadata.headers_not_passed.map(String).join(', ') })}
          </Alert>
        )}
      </Stack>
      <KeyValue
        rows={[
          [label('created_at'), <Timestamp key="at" at={log.created_at} />],
          [label('type'), <TypeBadge key="type" type={log.type} />],
          ...(isAdmin ? adminRows : []),
          ...(log.type === logTypes.imported
            ? [[label('imported'), String(metadata.imported ?? '')] as const]
            : []),
          ...(isCharge(log) ? callRows : []),
          ...(isError ? [...modelRows, ...errorRows(log)] : []),
          ...(isError
            ? []
            : [[label('quota'), <Quota key="quota" value={log.quota} exact />] as const]),
          ...(typeof metadata.session === 'string'
            ? [[label('session'), <SessionLink key="session" {...{ log, isAdmin }} />] as const]
            : []),
          [label('source_ip'), copyable(log.source_ip)],
          [label('id'), copyable(log.id)],
          ...(log.content && !isError ? [[label('content'), contentOf(log)] as const] : []),
        ]}
      />
    </>
  )
}

/** Leads to the calls of the session that the client named. */
const SessionLink = ({ log, isAdmin }: LogProps) => {
  const key = String(log.metadata.session)
  return (
    <Box
      component={Link}
      to={sessionLink(key, isAdmin ? log.username : undefined)}
      sx={{ color: 'primary.main', fontFamily: mono, fontSize: 13, overflowWrap: 'anywhere' }}
    >
      {key}
    </Box>
  )
}

/** How the usage became known, where the provider did not report it to its end. */
const usageNotes = ({ estimated, estimated_reasoning, end_read, cache }: Log['metadata']) => {
  if (cache === 'hit') return [{ key: 'cache', values: {} }]
  const tokens = Number(estimated_reasoning ?? 0)
  if (tokens > 0) return [{ key: 'estimated_reasoning', values: { tokens: formatCount(tokens) } }]
  if (estimated === true) return [{ key: 'estimated', values: {} }]
  return end_read === true ? [{ key: 'end_read', values: {} }] : []
}

const finishes = ['complete', 'caller-left', 'upstream-broke', 'cut', 'lost']

const Finish = ({ value }: { value: string }) => (
  <Badge
    tone={value === 'complete' ? 'green' : 'amber'}
    {...(finishes.includes(value) ? { labelKey: `logs.finish.${value}` } : { text: value })}
  />
)

const nameOfNote = (note: unknown): string =>
  typeof note === 'object' && note !== null && 'dropped' in note
    ? String(note.dropped)
    : String(note)
