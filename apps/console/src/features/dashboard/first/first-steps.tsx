import { addressStateOf, type FirstSteps as Steps, type Token } from '@hub/contract'
import Box from '@mui/material/Box'
import { type ComponentType, lazy, Suspense, useState } from 'react'
import { api } from '../../../api'
import { useOptionalT } from '../../../locales/use-t.ts'
import { Card, useAction, useT } from '../../../ui'
import { FirstCall } from './first-call.tsx'
import { type StepAction, StepCard, type StepProps } from './step-card.tsx'

const AddressForm = lazy(async () => ({
  default: (await import('../../../domain/site/address-form.tsx')).AddressForm,
}))

/** The forms of other features, passed in by the router so that this feature does not import them. */
export type FirstForms = {
  channel: ComponentType<{ channelId?: number; onClose: () => void }>
  token: ComponentType<{ onCreated: (token: Token) => void; onClose: () => void }>
}
type Props = {
  steps: Steps
  setsAddress: boolean
  /** Asks the server again what is missing. */
  refresh: () => Promise<void>
  forms: FirstForms
}

type StepForm = 'address' | 'channel' | 'token' | undefined
type Step = Omit<StepProps, 'number' | 'isNext'> & { id: string }

/** The setup steps of a new installation, followed by the first call. */
export const FirstSteps = ({ steps, setsAddress, refresh, forms }: Props) => {
  const t = useT()
  const [openForm, setOpenForm] = useState<StepForm>()
  const [createdToken, setCreatedToken] = useState<Token>()
  const close = () => {
    setOpenForm(undefined)
    void refresh()
  }
  const { channel, key } = steps
  const continued = channel.missing === 'disabled' && { channelId: channel.channel_id }
  const address = useAddressStep(steps, {
    open: () => setOpenForm('address'),
    onSaved: () => void refresh(),
  })
  const shown: Step[] = [
    ...(setsAddress ? [address] : []),
    useChannelStep(steps, () => setOpenForm('channel')),
    useTokenStep(steps, {
      open: () => setOpenForm('token'),
      onCreated: token => {
        setCreatedToken(token)
        void refresh()
      },
    }),
    useCallStep(steps),
  ]
  const next = shown.find(each => !each.done)
  return (
    <Card title={t('dashboard.first.title')} intro={t('dashboard.first.text')}>
      <Box component="ol" sx={{ ...list, gridTemplateColumns: columnsOf(shown.length) }}>
        {shown.map(({ id, ...step }, index) => (
          <StepCard key={id} {...step} number={index + 1} isNext={id === next?.id} />
        ))}
      </Box>
      {channel.done && key.done && <FirstCall createdToken={createdToken} />}
      <Suspense fallback={null}>
        {openForm === 'address' && <AddressForm onClose={close} />}
        {openForm === 'channel' && <forms.channel {...continued} onClose={close} />}
        {openForm === 'token' && <forms.token onCreated={setCreatedToken} onClose={close} />}
      </Suspense>
    </Card>
  )
}

const list = { listStyle: 'none', p: 0, m: 0, display: 'grid', gap: 2 }

const columnsOf = (count: number) => ({
  sm: '1fr 1fr',
  md: count === 3 ? 'repeat(3, 1fr)' : '1fr 1fr',
  lg: `repeat(${count}, 1fr)`,
})

/** Most sites have the address that the administrator sees right now; one machine alone is asked about a trial. */
const useAddressStep = (
  { address: { done } }: Steps,
  { open, onSaved }: { open: () => void; onSaved: () => void },
): Step => {
  const t = useT()
  const { origin } = window.location
  const save = useAction(['settings', 'status'], api.settings.update)
  const use = async () => {
    const saved = await save({ key: 'ServerAddress', value: origin })
    if (saved !== undefined) onSaved()
  }
  const other = { onClick: open, opensDialog: true }
  const actions: StepAction[] =
    addressStateOf(origin) === 'public'
      ? [
          {
            label: t('dashboard.first.address.use', { address: origin }),
            onClick: () => void use(),
            isPending: save.isPending,
          },
          { label: t('dashboard.first.address.other'), ...other },
        ]
      : [{ label: t('dashboard.first.address.action'), ...other }]
  return {
    ...{ id: 'address', done, note: '' },
    title: t('dashboard.first.address.title'),
    text: t('dashboard.first.address.text'),
    actions: done ? [] : actions,
  }
}

const namesMax = 3
const listNames = (names: readonly string[], count: number) =>
  names.slice(0, namesMax).join(', ') + (count > namesMax ? ', …' : '')

const useChannelStep = ({ channel }: Steps, open: () => void): Step => {
  const t = useT()
  const { done, missing, channel_id, channel_name: name, unpriced, unpriced_count: count } = channel
  const page = `/panel/channel/${channel_id}`
  const prices = {
    label: t('dashboard.first.channel.actions.unpriced'),
    to: `${page}?tab=settings`,
  }
  const models = t('dashboard.first.channel.unpriced', { count, names: listNames(unpriced, count) })
  const form = (label: string): StepAction => ({ label, onClick: open, opensDialog: true })
  const actions: Record<typeof missing, StepAction[]> = {
    '': count > 0 ? [prices] : [],
    none: [form(t('dashboard.first.channel.actions.none'))],
    disabled: [form(t('dashboard.first.channel.actions.disabled'))],
    unusable: [{ label: t('dashboard.first.channel.actions.unusable'), to: page }],
    group: [{ label: t('dashboard.first.channel.actions.group'), to: `${page}?tab=settings` }],
    unpriced: [prices],
  }
  const note = missing === '' ? '' : t(`dashboard.first.channel.missing.${missing}`, { name })
  return {
    ...{ id: 'channel', done, actions: actions[missing] },
    title: t('dashboard.first.channel.title'),
    text: t('dashboard.first.channel.text'),
    note: count > 0 ? [note, models].filter(Boolean).join(' ') : note,
  }
}

type TokenStepCalls = { open: () => void; onCreated: (token: Token) => void }

const useTokenStep = ({ key, channel }: Steps, { open, onCreated }: TokenStepCalls): Step => {
  const t = useT()
  const create = useAction(['tokens'], api.tokens.create)
  const createPlain = async () => {
    const name = t('dashboard.first.token.name')
    const token = await create({ name, unlimited_quota: true })
    if (token) onCreated(token)
  }
  const { done, missing, token_name: name } = key
  const tokens: StepAction = {
    label: t('dashboard.first.token.actions.tokens'),
    to: '/panel/token',
  }
  const users: StepAction = { label: t('dashboard.first.token.actions.users'), to: '/panel/user' }
  const creations: StepAction[] = [
    {
      label: t('dashboard.first.token.actions.create'),
      onClick: () => void createPlain(),
      isPending: create.isPending,
    },
    { label: t('dashboard.first.token.actions.limits'), onClick: open, opensDialog: true },
  ]
  const actions = missing === 'none' ? creations : [missing === 'balance' ? users : tokens]
  return {
    ...{ id: 'token', done, actions: done ? [] : actions },
    title: t('dashboard.first.token.title'),
    text: t('dashboard.first.token.text'),
    // A token can be created before there is a channel, but nobody has to be told so twice.
    note:
      done || (missing === 'none' && !channel.done)
        ? ''
        : t(`dashboard.first.token.missing.${missing}`, { name }),
  }
}

const useCallStep = ({ call, channel, key }: Steps): Step => {
  const t = useT()
  const optionalT = useOptionalT()
  const { done, missing, log_id, code } = call
  const reason = optionalT(`faults.${code}`) ?? code
  const note = missing === '' ? '' : t(`dashboard.first.call.missing.${missing}`, { reason })
  const isReady = channel.done && key.done
  return {
    ...{ id: 'call', done, note: isReady || missing === 'failed' ? note : '' },
    title: t('dashboard.first.call.step'),
    text: t('dashboard.first.call.text'),
    actions:
      missing === 'failed'
        ? [{ label: t('dashboard.first.call.actions.failed'), to: `/panel/log?open=${log_id}` }]
        : [],
  }
}
