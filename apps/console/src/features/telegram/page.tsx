import DeleteIcon from 'virtual:icons/delete'
import EditIcon from 'virtual:icons/edit'
import type { TelegramMenu } from '@hub/contract'
import Alert from '@mui/material/Alert'
import Stack from '@mui/material/Stack'
import { api, isRoot, useUser } from '../../api/index.ts'
import {
  ActionItem,
  type Column,
  ConfirmItem,
  DataTable,
  DialogButton,
  MonoText,
  Page,
  RootNeeded,
  RowMenu,
  TruncatedText,
  useAction,
  useDialog,
  useRecord,
  useT,
} from '../../ui/index.ts'
import { BotState } from './bot-state.tsx'
import { CreateMenu, EditMenu } from './menu-form.tsx'

const columns: Column<TelegramMenu>[] = [
  { key: 'id', width: 72, sort: true },
  {
    key: 'command',
    sort: true,
    emphasized: true,
    render: menu => <MonoText text={`/${menu.command}`} />,
  },
  {
    key: 'description',
    sort: true,
    render: menu => <TruncatedText text={menu.description} width={260} />,
  },
  {
    key: 'parse_mode',
    sort: true,
    width: 140,
    render: menu => (menu.parse_mode === 'html' ? 'HTML' : menu.parse_mode),
  },
  {
    key: 'reply_message',
    render: menu => <TruncatedText text={menu.reply_message} width={320} />,
  },
]

/** Shows the state of the bot and the commands that the operator added, to the super administrator only. */
export const TelegramPage = () => (isRoot(useUser()) ? <Menus /> : <RootNeeded />)

const Menus = () => {
  const t = useT()
  const edit = useDialog('edit')
  const editing = useRecord<TelegramMenu>(api.telegram, edit.id)
  const remove = useAction('telegram', api.telegram.remove, { successKey: 'telegram.removed' })
  return (
    <Page title={t('telegram.title')} intro={t('telegram.intro')} primaryAction={<CreateMenu />}>
      <Stack spacing={2} sx={{ mb: 2 }}>
        <BotState />
        <Alert severity="info">{t('telegram.needsReload')}</Alert>
      </Stack>
      <DataTable
        resource="telegram"
        list={api.telegram.list}
        order="command"
        columns={columns}
        filters={[{ key: 'keyword', kind: 'text', labelKey: 'telegram.fields.keyword' }]}
        card={{ title: menu => `/${menu.command}`, fields: ['description', 'parse_mode'] }}
        empty={{
          action: <DialogButton address="create">{t('telegram.create')}</DialogButton>,
        }}
        rowActions={menu => (
          <RowMenu label={`/${menu.command}`}>
            <ActionItem icon={<EditIcon />} onClick={() => edit.open(menu.id)}>
              {t('common.edit')}
            </ActionItem>
            <ConfirmItem
              icon={<DeleteIcon />}
              title={t('telegram.remove.title', { name: menu.command })}
              text={t('telegram.remove.text')}
              onConfirm={() => remove({ id: menu.id })}
            >
              {t('common.delete')}
            </ConfirmItem>
          </RowMenu>
        )}
      />
      {editing && <EditMenu menu={editing} onClose={edit.close} />}
    </Page>
  )
}
