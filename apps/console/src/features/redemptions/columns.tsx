import type { Redemption } from '@hub/contract'
import Box from '@mui/material/Box'
import { api } from '../../api/index.ts'
import { useAction } from '../../ui/index.ts'
import { Toggle } from '../../ui/feedback/toggle.tsx'
import { Badge, type Column, mono, type Tone, useT, Timestamp } from '../../ui/index.ts'
import { Quota } from '../../domain/index.ts'
import { PastTimestamp } from '../../ui/values/past.tsx'

const tones: Record<Redemption['status'], Tone> = { 1: 'green', 2: 'gray', 3: 'blue', 4: 'amber' }

export const StatusBadge = ({ status }: { status: Redemption['status'] }) => (
  <Badge tone={tones[status]} labelKey={`redemptions.status.${status}`} />
)

/** Enabled and disabled are switched by hand; used is for ever, and expired ends with another time. */
const Status = ({ code }: { code: Redemption }) => {
  const t = useT()
  const update = useAction('redemptions', api.redemptions.update)
  if (code.status === 3 || code.status === 4) return <StatusBadge status={code.status} />
  const change = (on: boolean) => update({ id: code.id, status: on ? 1 : 2, status_only: 'true' })
  return (
    <Box sx={{ display: 'flex', alignItems: 'center', gap: 0.5 }}>
      <Toggle
        checked={code.status === 1}
        label={`${t('redemptions.fields.status')}: ${code.name} ${code.id}`}
        onChange={change}
      />
      {code.status === 2 && <StatusBadge status={2} />}
    </Box>
  )
}

/** Enough to tell two apart on a shared screen; the whole code is copied, or stands in the record. */
export const shortCode = (key: string) => `${key.slice(0, 4)}…${key.slice(-4)}`

export const Redeemed = ({ code }: { code: Redemption }) => (
  <Box sx={{ lineHeight: 1.3 }}>
    <PastTimestamp at={code.redeemed_time} fallbackKey="redemptions.unredeemed" />
    {code.used_user_id > 0 && (
      <Box sx={{ fontSize: 12, color: 'text.secondary' }}>
        {code.used_username || `#${code.used_user_id}`}
      </Box>
    )}
  </Box>
)

export const columns: Column<Redemption>[] = [
  { key: 'id', width: 72 },
  { key: 'name', render: row => <Box sx={{ fontWeight: 500 }}>{row.name}</Box> },
  {
    key: 'key',
    render: row => (
      <Box component="span" sx={{ fontFamily: mono, fontSize: 12, whiteSpace: 'nowrap' }}>
        {shortCode(row.key)}
      </Box>
    ),
  },
  { key: 'status', render: row => <Status code={row} /> },
  { key: 'quota', align: 'right', render: row => <Quota value={row.quota} /> },
  { key: 'expired_time', render: row => <Timestamp at={row.expired_time} /> },
  { key: 'created_time', render: row => <Timestamp at={row.created_time} /> },
  { key: 'redeemed_time', render: row => <Redeemed code={row} /> },
]
