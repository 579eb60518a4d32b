import type { Redemption } from '@hub/contract'
import Box from '@mui/material/Box'
import { api } from '../../api/index.ts'
import { Quota } from '../../domain/index.ts'
import {
  type Column,
  Copyable,
  type CsvColumn,
  formatOptionalTime,
  MonoText,
  PastTimestamp,
  statusColumn,
  Timestamp,
} from '../../ui/index.ts'

/** Names are not unique: codes that are created together share one. */
export const rowLabel = ({ name, id }: Redemption) => `${name} ${id}`

/** Enough to tell two codes apart on a shared screen. */
const shortCode = (key: string) => `${key.slice(0, 4)}…${key.slice(-4)}`

const Redeemed = ({ code }: { code: Redemption }) => (
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
  { key: 'name', emphasized: true },
  {
    key: 'key',
    render: code => <MonoText text={shortCode(code.key)} />,
    detail: (code, label) => <Copyable text={code.key} what={label} />,
  },
  statusColumn(api.redemptions.update, {
    tones: { 1: 'green', 2: 'gray', 3: 'blue', 4: 'amber' },
    rowLabel,
  }),
  { key: 'quota', align: 'right', render: code => <Quota value={code.quota} /> },
  { key: 'expired_time', render: code => <Timestamp at={code.expired_time} /> },
  { key: 'created_time', render: code => <Timestamp at={code.created_time} /> },
  { key: 'redeemed_time', render: code => <Redeemed code={code} /> },
]

export const csvColumns: CsvColumn<Redemption>[] = [
  ['id', code => code.id],
  ['name', code => code.name],
  ['key', code => code.key],
  ['status', (code, t) => t(`redemptions.status.${code.status}`)],
  ['points', code => code.quota],
  ['expired_time', code => formatOptionalTime(code.expired_time)],
  ['created_time', code => formatOptionalTime(code.created_time)],
  ['redeemed_time', code => formatOptionalTime(code.redeemed_time)],
  ['used_username', code => code.used_username],
]
