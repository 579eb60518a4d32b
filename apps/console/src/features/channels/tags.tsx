import DeleteIcon from '@mui/icons-material/DeleteOutlined'
import EditIcon from '@mui/icons-material/EditOutlined'
import ListIcon from '@mui/icons-material/FormatListBulletedOutlined'
import PriorityIcon from '@mui/icons-material/LowPriorityOutlined'
import EnableIcon from '@mui/icons-material/PlayArrowOutlined'
import DisableIcon from '@mui/icons-material/StopOutlined'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Dialog from '@mui/material/Dialog'
import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import DialogTitle from '@mui/material/DialogTitle'
import Stack from '@mui/material/Stack'
import Typography from '@mui/material/Typography'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { z } from 'zod'
import { api, query, useAction } from '../../api/index.ts'
import {
  ActionItem,
  ConfirmItem,
  EmptyState,
  ErrorState,
  FormDialog,
  notify,
  RowMenu,
  useT,
} from '../../ui/index.ts'
import { TagForm } from './form/tag-form.tsx'

const changed = ['channels', 'models', 'prices']
type Doing = { what: 'edit' | 'priority'; tag: string } | undefined

/** Every tag, and what can be done to all of its channels together. */
export const Tags = ({ close }: { close: () => void }) => {
  const t = useT()
  const { data, error, refetch } = useQuery(query(api.channels.allTags))
  const [doing, setDoing] = useState<Doing>()
  const stop = () => setDoing(undefined)
  return (
    <>
      <Dialog open onClose={close} fullWidth maxWidth="sm" aria-labelledby="tags-title">
        <DialogTitle id="tags-title">{t('channels.tags.title')}</DialogTitle>
        <DialogContent dividers>
          <Typography variant="body2" sx={{ color: 'text.secondary', mb: 1 }}>
            {t('channels.tags.intro')}
          </Typography>
          {error && <ErrorState error={error} retry={() => void refetch()} />}
          {data?.length === 0 && <EmptyState title={t('channels.tags.none')} />}
          <Stack component="ul" sx={{ listStyle: 'none', m: 0, p: 0 }}>
            {data?.map(each => (
              <Row key={each.tag} {...each} close={close} begin={setDoing} />
            ))}
          </Stack>
        </DialogContent>
        <DialogActions sx={{ px: 3, py: 1.5 }}>
          <Button onClick={close}>{t('common.close')}</Button>
        </DialogActions>
      </Dialog>
      {doing?.what === 'edit' && <TagForm tag={doing.tag} onClose={stop} />}
      {doing?.what === 'priority' && <Priority tag={doing.tag} onClose={stop} />}
    </>
  )
}

/** Tells how many channels were changed. */
const useTold = () => {
  const t = useT()
  return {
    onDone: (count: number) => notify.success(t('channels.tags.changed', { count })),
  }
}

type RowProps = {
  tag: string
  channels: number
  enabled: number
  close: () => void
  begin: (doing: Doing) => void
}

const Row = ({ tag, channels, enabled, close, begin }: RowProps) => {
  const t = useT()
  const told = useTold()
  const navigate = useNavigate()
  const setStatus = useAction(changed, api.channels.setTagStatus, told)
  const remove = useAction(changed, api.channels.removeTagged, told)
  const removeDisabled = useAction(changed, api.channels.removeTaggedDisabled, told)
  const tag_name = tag
  const show = () => {
    close()
    void navigate(`?tag=${encodeURIComponent(tag)}`)
  }
  return (
    <Box
      component="li"
      sx={{
        display: 'flex',
        alignItems: 'center',
        gap: 1,
        py: 1,
        borderTop: '1px solid',
        borderColor: 'divider',
      }}
    >
      <Box sx={{ flex: 1, minWidth: 0 }}>
        <Typography variant="body2" sx={{ fontWeight: 500, overflowWrap: 'anywhere' }}>
          {tag}
        </Typography>
        <Typography variant="caption" sx={{ color: 'text.secondary' }}>
          {t('channels.tags.count', { channels, enabled })}
        </Typography>
      </Box>
      <RowMenu label={tag}>
        <ActionItem icon={<ListIcon />} onClick={show}>
          {t('channels.tags.show')}
        </ActionItem>
        <ActionItem icon={<EditIcon />} onClick={() => begin({ what: 'edit', tag })}>
          {t('channels.tags.edit')}
        </ActionItem>
        <ActionItem icon={<PriorityIcon />} onClick={() => begin({ what: 'priority', tag })}>
          {t('channels.tags.priority')}
        </ActionItem>
        <ActionItem
          icon={<EnableIcon />}
          onClick={() => void setStatus({ tag_name, status: 'enable' })}
        >
          {t('channels.tags.enable')}
        </ActionItem>
        <ConfirmItem
          icon={<DisableIcon />}
          danger={false}
          title={t('channels.tags.disableTitle', { tag })}
          text={t('channels.tags.disableText')}
          onConfirm={() => setStatus({ tag_name, status: 'disable' })}
        >
          {t('channels.tags.disable')}
        </ConfirmItem>
        <ConfirmItem
          icon={<DeleteIcon />}
          title={t('channels.tags.removeDisabledTitle', { tag })}
          text={t('channels.remove.text')}
          onConfirm={() => removeDisabled({ tag_name })}
        >
          {t('channels.tags.removeDisabled')}
        </ConfirmItem>
        <ConfirmItem
          icon={<DeleteIcon />}
          title={t('channels.tags.removeTitle', { tag, count: channels })}
          text={t('channels.remove.text')}
          onConfirm={() => remove({ tag_name })}
        >
          {t('channels.tags.remove')}
        </ConfirmItem>
      </RowMenu>
    </Box>
  )
}

const PriorityValue = z.object({ value: z.number().int().min(0).max(1_000_000) })

const Priority = ({ tag, onClose }: { tag: string; onClose: () => void }) => {
  const t = useT()
  const setPriority = useAction(changed, api.channels.setTagPriority, useTold())
  return (
    <FormDialog
      of="channels"
      open
      onClose={onClose}
      title={t('channels.tags.priorityOf', { tag })}
      verb={t('channels.tags.priority')}
      schema={PriorityValue}
      initial={{ value: 0 }}
      submit={({ value }) => setPriority.attempt({ tag_name: tag, value })}
    />
  )
}
