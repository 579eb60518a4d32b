import { callFaults, ErrorDetails, type Log, type RefusalFigures } from '@hub/contract'
import Box from '@mui/material/Box'
import { useOptionalT } from '../../locales/use-t.ts'
import {
  Copyable,
  type Filter,
  formatCount,
  formatDuration,
  type KeyValueRow,
  MonoText,
  useT,
} from '../../ui/index.ts'

const codes = ['caller.left', ...callFaults]

export const errorCodeFilter: Filter = {
  key: 'code',
  kind: 'select',
  options: codes.map(code => ({ value: code, label: code })),
}

const detailsOf = (log: Log): ErrorDetails | undefined => ErrorDetails.safeParse(log.metadata).data

/** The fault code of a failed call, with its sentence below. */
export const ErrorCell = ({ log }: { log: Log }) => {
  const sentence = useSentence()(log.content)
  const count = detailsOf(log)?.count ?? 1
  return (
    <Box sx={{ lineHeight: 1.3 }}>
      <MonoText text={log.content} />
      {count > 1 && (
        <Box component="span" sx={{ ml: 0.75, fontWeight: 600 }}>
          × {formatCount(count)}
        </Box>
      )}
      {sentence && <Box sx={{ fontSize: 12, color: 'text.secondary' }}>{sentence}</Box>}
    </Box>
  )
}

/** The sentence of a fault code; undefined for a code of another release. */
export const useSentence = () => {
  const optional = useOptionalT()
  return (code: string) =>
    optional(code === 'caller.left' ? 'logs.errors.callerLeft' : `faults.${code}`)
}

/** The figures by which limits or points refused the call. */
const figureRows = (t: ReturnType<typeof useT>, figures: RefusalFigures = {}): KeyValueRow[] => {
  const { limit_of: owner, limit, retry_after: seconds, needed, available } = figures
  const rows: [string, string | undefined][] = [
    [
      t('logs.errors.limitOf'),
      owner && t(owner === 'token' ? 'logs.errors.limitOfToken' : 'logs.errors.limitOfGroup'),
    ],
    [t('logs.errors.limit'), limit === undefined ? undefined : formatCount(limit)],
    [
      t('logs.errors.retryAfter'),
      seconds === undefined ? undefined : formatDuration(seconds * 1_000),
    ],
    [t('logs.errors.needed'), needed === undefined ? undefined : formatCount(needed)],
    [t('logs.errors.available'), available === undefined ? undefined : formatCount(available)],
  ]
  return rows.filter((row): row is [string, string] => row[1] !== undefined)
}

/** The rows of the drawer that only a failed call has. */
export const useErrorRows = () => {
  const t = useT()
  const sentenceOf = useSentence()
  return (log: Log): KeyValueRow[] => {
    const details = detailsOf(log)
    if (!details) return []
    return [
      [t('logs.fields.code'), <Copyable key="code" text={log.content} />],
      [t('logs.errors.meaning'), sentenceOf(log.content) ?? '–'],
      [t('logs.errors.status'), String(details.status)],
      ...(details.response_code
        ? [[t('logs.errors.responseCode'), details.response_code] as const]
        : []),
      [t('logs.errors.message'), details.message || '–'],
      ...figureRows(t, details.refusal),
      [t('logs.fields.request_id'), <Copyable key="request" text={details.request_id} />],
      [
        t('logs.errors.charged'),
        t(details.charged ? 'logs.errors.chargedYes' : 'logs.errors.chargedNo'),
      ],
      [t('logs.fields.duration'), formatDuration(log.request_time)],
      ...(details.count > 1
        ? [
            [
              t('logs.errors.count'),
              t('logs.errors.merged', { count: formatCount(details.count) }),
            ] as const,
          ]
        : []),
    ]
  }
}
