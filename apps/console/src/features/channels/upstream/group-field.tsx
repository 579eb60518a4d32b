import type { UpstreamGroup } from '@hub/contract'
import Button from '@mui/material/Button'
import Chip from '@mui/material/Chip'
import OutlinedInput from '@mui/material/OutlinedInput'
import Stack from '@mui/material/Stack'
import Typography from '@mui/material/Typography'
import { useState } from 'react'
import { api } from '../../../api/index.ts'
import { Field, useAction, useT } from '../../../ui/index.ts'

export type Account = Parameters<typeof api.channels.fetchGroups>[0]

type Props = {
  title: string
  help: string | undefined
  value: string
  set: (group: string) => void
  /** The account whose groups can be read. */
  account: Account
}

/** The group of the key at an upstream: typed, or chosen from the groups that the upstream shows. */
export const GroupField = ({ title, help, value, set, account }: Props) => {
  const t = useT()
  const [groups, setGroups] = useState<UpstreamGroup[]>()
  const fetchGroups = useAction([], api.channels.fetchGroups, { onSuccess: setGroups })
  return (
    <Field label={title} help={help}>
      {({ id, describedBy }) => (
        <Stack spacing={1} sx={{ alignItems: 'flex-start' }}>
          <OutlinedInput
            id={id}
            fullWidth
            value={value}
            autoComplete="off"
            inputProps={{ 'aria-describedby': describedBy, spellCheck: false, maxLength: 100 }}
            onChange={event => set(event.target.value)}
          />
          <Button
            size="small"
            color="inherit"
            loading={fetchGroups.isPending}
            onClick={() => void fetchGroups(account)}
          >
            {t('channel-plugins.upstream.read')}
          </Button>
          {groups?.length === 0 && (
            <Typography variant="caption" role="status" sx={{ color: 'text.secondary' }}>
              {t('channel-plugins.upstream.none')}
            </Typography>
          )}
          {groups && groups.length > 0 && (
            <Stack direction="row" sx={{ flexWrap: 'wrap', gap: 0.75 }}>
              {groups.map(({ group, name, ratio }) => (
                <Chip
                  key={group}
                  size="small"
                  variant={group === value ? 'filled' : 'outlined'}
                  label={`${group} × ${ratio}`}
                  title={name}
                  aria-pressed={group === value}
                  onClick={() => set(group)}
                />
              ))}
            </Stack>
          )}
        </Stack>
      )}
    </Field>
  )
}
