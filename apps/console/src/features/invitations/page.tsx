import type { ListedInvitation } from '@hub/contract'
import { InvitationDecision, invitationStates } from '@hub/contract'
import Box from '@mui/material/Box'
import { api } from '../../api/index.ts'
import { Quota } from '../../domain/index.ts'
import {
  ActionItem,
  Badge,
  type Column,
  DataTable,
  FormDialog,
  Page,
  PastTimestamp,
  RowMenu,
  Timestamp,
  type Tone,
  useAction,
  useDialog,
  useT,
} from '../../ui/index.ts'

const tones: Record<ListedInvitation['state'], Tone> = {
  waiting: 'amber',
  given: 'green',
  withheld: 'red',
}

/** Points that were given, of those that were promised. */
const Share = ({ given, promised }: { given: number; promised: number }) => (
  <>
    <Quota value={given} /> / <Quota value={promised} />
  </>
)

const State = ({ row: { state, reason, decided_by } }: { row: ListedInvitation }) => {
  const t = useT()
  return (
    <>
      <Badge tone={tones[state]} labelKey={`invitations.state.${state}`} />
      {reason && (
        <Box sx={{ fontSize: 12, color: 'text.secondary' }}>
          {t(`invitations.reason.${reason}`, { name: decided_by || t('invitations.rules') })}
        </Box>
      )}
    </>
  )
}

const columns: Column<ListedInvitation>[] = [
  {
    key: 'user_id',
    emphasized: true,
    render: row => `${row.username} (${row.user_id})`,
  },
  { key: 'inviter_id', render: row => `${row.inviter_username} (${row.inviter_id})` },
  { key: 'address', render: row => row.address || '–' },
  { key: 'created_at', render: row => <Timestamp at={row.created_at} /> },
  { key: 'state', render: row => <State row={row} /> },
  {
    key: 'gift',
    sort: false,
    align: 'right',
    render: row => <Share given={row.gift_given} promised={row.gift} />,
  },
  {
    key: 'reward',
    sort: false,
    align: 'right',
    render: row => <Share given={row.reward_given} promised={row.reward} />,
  },
  {
    key: 'decided_at',
    sort: false,
    hidden: true,
    render: row => <PastTimestamp at={row.decided_at} fallbackKey="invitations.undecided" />,
  },
]

type Decision = { decision: 'give' | 'withhold'; row: ListedInvitation }

/** The invited users with what they and their inviters were promised. Administrators give or withhold the rewards. */
export const InvitationsPage = () => {
  const t = useT()
  const states = invitationStates.map(value => ({ value, label: t(`invitations.state.${value}`) }))
  return (
    <Page title={t('invitations.title')} intro={t('invitations.intro')}>
      <DataTable
        resource="invitations"
        list={api.invitations.list}
        order="-created_at"
        columns={columns}
        filters={[
          { key: 'state', kind: 'select', options: states },
          { key: 'inviter_id', kind: 'number', labelKey: 'invitations.inviterId' },
          { key: 'address', kind: 'text', labelKey: 'invitations.fields.address' },
        ]}
        card={{ title: row => row.username, fields: ['inviter_id', 'address', 'state', 'reward'] }}
        rowKey={row => row.user_id}
        rowActions={row => <Decisions row={row} />}
      />
    </Page>
  )
}

/** Each decision has a dialog, whose address names the invited user. */
const Decisions = ({ row }: { row: ListedInvitation }) => {
  const t = useT()
  const dialogs = { give: useDialog('give'), withhold: useDialog('withhold') }
  const { user_id, username, state } = row
  const decisions = (['give', 'withhold'] as const).filter(
    decision => state !== { give: 'given', withhold: 'withheld' }[decision],
  )
  return (
    <>
      <RowMenu label={username}>
        {decisions.map(decision => (
          <ActionItem key={decision} onClick={() => dialogs[decision].open(user_id)}>
            {t(`invitations.${decision}`)}
          </ActionItem>
        ))}
      </RowMenu>
      {decisions.map(
        decision =>
          dialogs[decision].id === String(user_id) && (
            <Decide key={decision} {...{ decision, row }} close={dialogs[decision].close} />
          ),
      )}
    </>
  )
}

const Remark = InvitationDecision.pick({ remark: true })

/** Asks for the reason, which the audit log keeps. */
const Decide = ({ decision, row, close }: Decision & { close: () => void }) => {
  const t = useT()
  const decide = useAction(['invitations', 'users'], api.invitations[decision], {
    successKey: `invitations.done.${decision}`,
  })
  return (
    <FormDialog
      resource="invitations"
      open
      onClose={close}
      title={t(`invitations.decide.${decision}`, { name: row.username })}
      intro={t(`invitations.decide.${decision}Text`, { name: row.inviter_username })}
      submitLabel={t(`invitations.${decision}`)}
      schema={Remark}
      submit={decide}
      transform={({ remark }: { remark: string }) => ({ id: row.user_id, remark })}
    />
  )
}
