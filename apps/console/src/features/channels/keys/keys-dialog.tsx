import type { Channel, ChannelKey } from '@hub/contract'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import DialogTitle from '@mui/material/DialogTitle'
import OutlinedInput from '@mui/material/OutlinedInput'
import Stack from '@mui/material/Stack'
import Typography from '@mui/material/Typography'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api, query } from '../../../api/index.ts'
import { Dialog } from '../../../ui/feedback/dialog.tsx'
import { Toggle } from '../../../ui/feedback/toggle.tsx'
import {
  Badge,
  ConfirmButton,
  ErrorState,
  formatFixed,
  formatTime,
  mono,
  notify,
  useAction,
  useT,
} from '../../../ui/index.ts'

type Props = { channel: Pick<Channel, 'id' | 'name'>; close: () => void }

/** The keys of a channel by their fingerprints, each with its state. The keys themselves are never shown. */
export const KeysDialog = ({ channel, close }: Props) => {
  const t = useT()
  const { data, error, refetch } = useQuery(query(api.channels.keys, { id: channel.id }))
  const enabled = data?.filter(each => each.status !== 2).length ?? 0
  return (
    <Dialog open onClose={close} fullWidth maxWidth="sm" aria-labelledby="keys-title">
      <DialogTitle id="keys-title" sx={{ overflowWrap: 'anywhere' }}>
        {t('channels.keys.title', { name: channel.name })}
      </DialogTitle>
      <DialogContent dividers>
        <Typography variant="body2" sx={{ color: 'text.secondary', mb: 1 }}>
          {t('channels.keys.intro')}
        </Typography>
        {error && <ErrorState error={error} retry={() => void refetch()} />}
        <Stack component="ul" sx={{ listStyle: 'none', m: 0, p: 0 }}>
          {data?.map(each => (
            <KeyRow
              key={each.fingerprint}
              channelId={channel.id}
              entry={each}
              isOnly={data.length === 1}
              isLastEnabled={each.status !== 2 && enabled === 1}
            />
          ))}
        </Stack>
        <AddKeys channelId={channel.id} />
      </DialogContent>
      <DialogActions sx={{ px: 3, py: 1.5 }}>
        <Button onClick={close}>{t('common.close')}</Button>
      </DialogActions>
    </Dialog>
  )
}

type KeyRowProps = {
  channelId: number
  entry: ChannelKey
  isOnly: boolean
  /** The server refuses to disable or remove it. */
  isLastEnabled: boolean
}

const KeyRow = ({ channelId: id, entry, isOnly, isLastEnabled }: KeyRowProps) => {
  const t = useT()
  const { index, fingerprint, status, reason, changed_at } = entry
  const set = useAction('channels', api.channels.setKey)
  const remove = useAction('channels', api.channels.removeKey)
  const test = useAction('channels', api.channels.test, {
    onSuccess: ({ model, time }) =>
      notify.info(
        t('channels.tested', { name: fingerprint, model, seconds: formatFixed(time, 2) }),
      ),
  })
  return (
    <Box
      component="li"
      sx={{
        display: 'flex',
        flexWrap: 'wrap',
        alignItems: 'center',
        gap: 1,
        py: 1,
        borderTop: '1px solid',
        borderColor: 'divider',
      }}
    >
      <Toggle
        checked={status === 1}
        label={`${t('channels.fields.status')}: ${fingerprint}`}
        disabledReason={isLastEnabled && status === 1 ? t('channels.keys.last') : undefined}
        onChange={on => set({ id, fingerprint, status: on ? 1 : 2 })}
      />
      <Box sx={{ flex: 1, minWidth: 160 }}>
        <Stack direction="row" spacing={1} sx={{ alignItems: 'center' }}>
          <Typography variant="body2" sx={{ color: 'text.secondary' }}>
            {index}
          </Typography>
          <Typography variant="body2" sx={{ fontFamily: mono }}>
            {fingerprint}
          </Typography>
          {status === 3 && <Badge tone="red" labelKey="channels.status.3" />}
        </Stack>
        {status !== 1 && (
          <Typography
            variant="caption"
            component="p"
            sx={{ color: 'text.secondary', overflowWrap: 'anywhere' }}
          >
            {[formatTime(changed_at), reason].filter(Boolean).join(' · ')}
          </Typography>
        )}
      </Box>
      <Button size="small" color="inherit" onClick={() => void test({ id, fingerprint })}>
        {t('channels.keys.test')}
      </Button>
      {!isOnly && !isLastEnabled && (
        <ConfirmButton
          size="small"
          title={t('channels.keys.removeTitle', { name: fingerprint })}
          text={t('channels.keys.removeText')}
          onConfirm={() => remove({ id, fingerprint })}
        >
          {t('common.delete')}
        </ConfirmButton>
      )}
    </Box>
  )
}

const AddKeys = ({ channelId }: { channelId: number }) => {
  const t = useT()
  const [text, setText] = useState('')
  const add = useAction('channels', api.channels.addKeys, {
    successKey: 'channels.keys.added',
    onSuccess: () => setText(''),
  })
  return (
    <Stack spacing={1} sx={{ mt: 2 }}>
      <OutlinedInput
        fullWidth
        multiline
        minRows={2}
        maxRows={8}
        value={text}
        autoComplete="off"
        placeholder={t('channels.keys.placeholder')}
        inputProps={{ 'aria-label': t('channels.keys.add'), spellCheck: false }}
        onChange={event => setText(event.target.value)}
        sx={{ fontFamily: mono, fontSize: 13 }}
      />
      <Box>
        <Button
          variant="outlined"
          size="small"
          disabled={text.trim() === ''}
          onClick={() => void add({ id: channelId, key: text })}
        >
          {t('channels.keys.add')}
        </Button>
      </Box>
    </Stack>
  )
}
