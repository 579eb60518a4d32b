import type { VirtualModel } from '@hub/contract'
import Box from '@mui/material/Box'
import { api } from '../../api/index.ts'
import { ModelMark } from '../../domain/index.ts'
import { Toggle } from '../../ui/feedback/toggle.tsx'
import { type Column, Copyable, Timestamp, useAction, useT } from '../../ui/index.ts'
import { candidateText } from './candidate-text.ts'

const EnableSwitch = ({ row: { id, name, enable } }: { row: VirtualModel }) => {
  const t = useT()
  const update = useAction(['virtual-models', 'models'], api['virtual-models'].update)
  return (
    <Toggle
      checked={enable}
      label={t('virtual-models.toggle', { name })}
      onChange={() => update({ id, enable: !enable })}
      confirmOff={{
        title: t('virtual-models.disable.title', { name }),
        text: t('virtual-models.disable.text'),
        confirmLabel: t('virtual-models.disable.action'),
      }}
    />
  )
}

const Candidates = ({ row: { candidates } }: { row: VirtualModel }) => {
  const t = useT()
  return (
    <Box
      component="ol"
      sx={{
        ...{ m: 0, pl: 2.5, minWidth: { sm: 280 } },
        ...{ whiteSpace: 'normal', textAlign: 'left', fontSize: 13 },
      }}
    >
      {candidates
        .toSorted((a, b) => a.tier - b.tier)
        .map((each, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: equal rows have no other key, and none has state or moves.
          <Box component="li" key={index} sx={{ overflowWrap: 'anywhere' }}>
            <Box component="span" sx={{ display: 'inline-flex', mr: 0.75, verticalAlign: '-2px' }}>
              <ModelMark name={each.model} size={14} />
            </Box>
            {candidateText(t, each)}
          </Box>
        ))}
    </Box>
  )
}

export const columns: Column<VirtualModel>[] = [
  { key: 'id', width: 70, hidden: true },
  { key: 'name', emphasized: true, render: row => <Copyable text={row.name} /> },
  { key: 'candidates', render: row => <Candidates row={row} /> },
  { key: 'groups', render: row => row.groups.join(', ') },
  { key: 'version', align: 'right', width: 90 },
  { key: 'updated_at', width: 160, render: row => <Timestamp at={row.updated_at} /> },
  { key: 'enable', width: 90, render: row => <EnableSwitch row={row} /> },
]
