import DeleteIcon from 'virtual:icons/delete'
import EditIcon from 'virtual:icons/edit'
import type { NotificationTarget } from '@hub/contract'
import Button from '@mui/material/Button'
import Divider from '@mui/material/Divider'
import Skeleton from '@mui/material/Skeleton'
import Stack from '@mui/material/Stack'
import Typography from '@mui/material/Typography'
import { useQuery } from '@tanstack/react-query'
import { query } from '../../api/index.ts'
import { Toggle } from '../../ui/feedback/toggle.tsx'
import {
  ActionItem,
  ConfirmItem,
  ErrorState,
  notify,
  RowMenu,
  useAction,
  useDialog,
  useT,
} from '../../ui/index.ts'
import { type Scope, scopes } from './scope.ts'
import { EditTarget } from './target-form.tsx'
import { useTypes } from './use-types.ts'

const targetsMax = 100

/** The targets of a scope, each with a test, a switch and a menu. */
export const TargetList = ({ scope }: { scope: Scope }) => {
  const t = useT()
  const { api } = scopes[scope]
  const { data, error, refetch } = useQuery(query(api.list, { page: 1, size: targetsMax }))
  const types = useTypes(scope)
  const dialog = useDialog('edit')
  if (error) return <ErrorState error={error} retry={() => void refetch()} />
  if (!data) return <Skeleton variant="rounded" height={72} />
  if (data.data.length === 0)
    return (
      <Typography variant="body2" sx={{ color: 'text.secondary' }}>
        {t('notifications.none')}
      </Typography>
    )
  const editing = data.data.find(({ id }) => String(id) === dialog.id)
  return (
    <Stack divider={<Divider />} component="ul" sx={{ m: 0, p: 0, listStyle: 'none' }}>
      {data.data.map(target => (
        <TargetRow
          key={target.id}
          scope={scope}
          target={target}
          typeName={types.find(each => each.type === target.type)?.name ?? target.type}
          edit={() => dialog.open(target.id)}
        />
      ))}
      {editing && <EditTarget scope={scope} target={editing} close={dialog.close} />}
    </Stack>
  )
}

type TargetRowProps = {
  scope: Scope
  target: NotificationTarget
  typeName: string
  edit: () => void
}

const TargetRow = ({ scope, target, typeName, edit }: TargetRowProps) => {
  const t = useT()
  const { resource, api } = scopes[scope]
  const update = useAction(resource, api.update)
  const remove = useAction(resource, api.remove, { successKey: 'notifications.removed' })
  const { id, name, events, digest, quiet_from, quiet_to } = target
  const details = [
    typeName,
    t('notifications.eventCount', { value: events.length }),
    digest !== 'none' && t(`notifications.options.digest.${digest}`),
    quiet_from && quiet_to && t('notifications.quiet', { from: quiet_from, to: quiet_to }),
  ]
  return (
    <Stack
      component="li"
      direction="row"
      spacing={1}
      useFlexGap
      sx={{ py: 1.25, alignItems: 'center', flexWrap: 'wrap' }}
    >
      <Stack sx={{ flex: '1 1 180px', minWidth: 0 }}>
        <Typography noWrap sx={{ fontWeight: 500 }}>
          {name}
        </Typography>
        <Typography variant="body2" sx={{ color: 'text.secondary' }}>
          {details.filter(Boolean).join(' · ')}
        </Typography>
      </Stack>
      <Stack direction="row" spacing={1} sx={{ alignItems: 'center', ml: 'auto' }}>
        <TestButton scope={scope} target={target} />
        <Toggle
          checked={target.enabled}
          label={t('notifications.toggle', { name })}
          onChange={enabled => update({ id, enabled })}
        />
        <RowMenu label={name}>
          <ActionItem icon={<EditIcon />} onClick={edit}>
            {t('common.edit')}
          </ActionItem>
          <ConfirmItem
            icon={<DeleteIcon />}
            title={t('notifications.remove.title', { name })}
            text={t('notifications.remove.text')}
            onConfirm={() => remove({ id })}
          >
            {t('common.delete')}
          </ConfirmItem>
        </RowMenu>
      </Stack>
    </Stack>
  )
}

/** Sends a test message and shows its outcome. */
const TestButton = ({ scope, target: { id, name } }: Omit<TargetRowProps, 'typeName' | 'edit'>) => {
  const t = useT()
  const { resource, api } = scopes[scope]
  const test = useAction(resource, api.test)
  const run = async () => {
    const delivery = await test({ id })
    if (delivery?.state === 'sent') notify.success(t('notifications.testSent'))
    else if (delivery?.failure) notify.error(delivery.failure)
    else if (delivery) notify.info(t('notifications.testQueued'))
  }
  return (
    <Button
      size="small"
      variant="outlined"
      disabled={test.isPending}
      aria-label={t('notifications.testOf', { name })}
      onClick={() => void run()}
    >
      {t('notifications.test')}
    </Button>
  )
}
