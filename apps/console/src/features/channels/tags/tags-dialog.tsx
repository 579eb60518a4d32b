import WeightIcon from 'virtual:icons/balance'
import DeleteIcon from 'virtual:icons/delete'
import EditIcon from 'virtual:icons/edit'
import ListIcon from 'virtual:icons/format-list-bulleted'
import PriorityIcon from 'virtual:icons/low-priority'
import EnableIcon from 'virtual:icons/play-arrow'
import DisableIcon from 'virtual:icons/stop'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import DialogTitle from '@mui/material/DialogTitle'
import Stack from '@mui/material/Stack'
import Typography from '@mui/material/Typography'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { z } from 'zod'
import { api, query } from '../../../api/index.ts'
import { Dialog } from '../../../ui/feedback/dialog.tsx'
import {
  ActionItem,
  ConfirmItem,
  EmptyState,
  ErrorState,
  FormDialog,
  notify,
  RowMenu,
  useAction,
  useAddress,
  useT,
} from '../../../ui/index.ts'
import { TagForm } from './tag-form.tsx'

const affectedResources = ['channels', 'models', 'prices']
type NumberField = 'priority' | 'weight'
type OpenForm = { kind: 'edit' | NumberField; tag: string } | undefined

/** All tags, with actions that apply to every channel of a tag. */
export const TagsDialog = ({ close }: { close: () => void }) => {
  const t = useT()
  const { data, error, refetch } = useQuery(query(api.channels.allTags))
  const [openForm, setOpenForm] = useState<OpenForm>()
  const closeForm = () => setOpenForm(undefined)
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
              <TagRow key={each.tag} {...each} close={close} openTagForm={setOpenForm} />
            ))}
          </Stack>
        </DialogContent>
        <DialogActions sx={{ px: 3, py: 1.5 }}>
          <Button onClick={close}>{t('common.close')}</Button>
        </DialogActions>
      </Dialog>
      {openForm?.kind === 'edit' && <TagForm tag={openForm.tag} onClose={closeForm} />}
      {openForm && openForm.kind !== 'edit' && (
        <NumberForm field={openForm.kind} tag={openForm.tag} onClose={closeForm} />
      )}
    </>
  )
}

/** Action options that show how many channels were changed. */
const useCountNotice = () => {
  const t = useT()
  return {
    onSuccess: (count: number) => notify.success(t('channels.tags.changed', { count })),
  }
}

type TagRowProps = {
  tag: string
  channels: number
  enabled: number
  close: () => void
  openTagForm: (openForm: OpenForm) => void
}

const TagRow = (props: TagRowProps) => {
  const t = useT()
  const { tag, channels, enabled } = props
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
      <TagMenu {...props} />
    </Box>
  )
}

const useTagActions = (tag: string) => {
  const countNotice = useCountNotice()
  const setStatus = useAction(affectedResources, api.channels.setTagStatus, countNotice)
  const remove = useAction(affectedResources, api.channels.removeTagged, countNotice)
  const removeDisabled = useAction(
    affectedResources,
    api.channels.removeTaggedDisabled,
    countNotice,
  )
  return {
    enable: () => setStatus({ tag_name: tag, status: 'enable' }),
    disable: () => setStatus({ tag_name: tag, status: 'disable' }),
    remove: () => remove({ tag_name: tag }),
    removeDisabled: () => removeDisabled({ tag_name: tag }),
  }
}

const TagMenu = ({ tag, channels, close, openTagForm }: TagRowProps) => {
  const t = useT()
  const [, change] = useAddress()
  const actions = useTagActions(tag)
  const show = () => {
    close()
    change({ tag }, { clear: true })
  }
  return (
    <RowMenu label={tag}>
      <ActionItem icon={<ListIcon />} onClick={show}>
        {t('channels.tags.show')}
      </ActionItem>
      <ActionItem icon={<EditIcon />} onClick={() => openTagForm({ kind: 'edit', tag })}>
        {t('channels.tags.edit')}
      </ActionItem>
      <ActionItem icon={<PriorityIcon />} onClick={() => openTagForm({ kind: 'priority', tag })}>
        {t('channels.tags.priority')}
      </ActionItem>
      <ActionItem icon={<WeightIcon />} onClick={() => openTagForm({ kind: 'weight', tag })}>
        {t('channels.tags.weight')}
      </ActionItem>
      <ActionItem icon={<EnableIcon />} onClick={() => void actions.enable()}>
        {t('channels.tags.enable')}
      </ActionItem>
      <ConfirmItem
        icon={<DisableIcon />}
        danger={false}
        title={t('channels.tags.disableTitle', { tag })}
        text={t('channels.tags.disableText')}
        onConfirm={actions.disable}
      >
        {t('channels.tags.disable')}
      </ConfirmItem>
      <ConfirmItem
        icon={<DeleteIcon />}
        title={t('channels.tags.removeDisabledTitle', { tag })}
        text={t('channels.remove.text')}
        onConfirm={actions.removeDisabled}
      >
        {t('channels.tags.removeDisabled')}
      </ConfirmItem>
      <ConfirmItem
        icon={<DeleteIcon />}
        title={t('channels.tags.removeTitle', { tag, count: channels })}
        text={t('channels.remove.text')}
        onConfirm={actions.remove}
      >
        {t('channels.tags.remove')}
      </ConfirmItem>
    </RowMenu>
  )
}

const schemas = {
  priority: z.object({ value: z.number().int().min(0).max(1_000_000) }),
  weight: z.object({ value: z.number().int().min(1).max(1_000_000) }),
}

type NumberFormProps = { field: NumberField; tag: string; onClose: () => void }

const NumberForm = ({ field, tag, onClose }: NumberFormProps) => {
  const t = useT()
  const setNumber = useAction(affectedResources, api.channels.setTagPriority, useCountNotice())
  return (
    <FormDialog
      resource="channels"
      open
      onClose={onClose}
      title={t(`channels.tags.${field}Title`, { tag })}
      submitLabel={t(`channels.tags.${field}`)}
      schema={schemas[field]}
      initialValues={{ value: field === 'weight' ? 1 : 0 }}
      fieldOverrides={{ value: { label: t(`channels.fields.${field}`) } }}
      submit={({ value }) => setNumber.attempt({ tag_name: tag, type: field, value })}
    />
  )
}
