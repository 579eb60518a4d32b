import { type Passkey, PasskeyName } from '@hub/contract'
import Alert from '@mui/material/Alert'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Stack from '@mui/material/Stack'
import Typography from '@mui/material/Typography'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { z } from 'zod'
import { api, query, useSite } from '../../api'
import { apiError } from '../../api/error.ts'
import {
  canUsePasskeys,
  isPasskeyCancelled,
  registerPasskey,
} from '../../domain/sign-in/passkeys.ts'
import { ProofForm, type ProofShape } from '../../domain/sign-in/proof-form.tsx'
import {
  ActionItem,
  Badge,
  Card,
  FormDialog,
  RowMenu,
  type T,
  Timestamp,
  useAction,
  useT,
} from '../../ui'

type Open = { form: 'add' } | { form: 'rename' | 'remove'; passkey: Passkey }
const changed = ['passkeys', 'profile']

/** The passkeys of the user, by which they sign in and confirm changes. */
export const Passkeys = () => {
  const t = useT()
  const site = useSite()
  const [open, setOpen] = useState<Open>()
  const { data = [] } = useQuery(query(api.passkeys.list))
  const close = () => setOpen(undefined)
  return (
    <Card title={t('passkeys.title')} intro={t('passkeys.intro')}>
      <Stack spacing={2}>
        {!canUsePasskeys(site) && (
          <Alert severity="info" variant="outlined">
            {t('passkeys.unavailable')}
          </Alert>
        )}
        {data.length > 0 && (
          <Box component="ul" sx={{ m: 0, p: 0, listStyle: 'none' }}>
            {data.map(passkey => (
              <Row key={passkey.id} passkey={passkey} open={setOpen} />
            ))}
          </Box>
        )}
        {open?.form === 'add' && <AddForm close={close} />}
        {open?.form === 'remove' && <RemoveForm passkey={open.passkey} close={close} />}
        {!open && canUsePasskeys(site) && (
          <Button
            variant="contained"
            sx={{ alignSelf: 'flex-start' }}
            onClick={() => setOpen({ form: 'add' })}
          >
            {t('passkeys.add')}
          </Button>
        )}
      </Stack>
      {open?.form === 'rename' && <RenameDialog passkey={open.passkey} close={close} />}
    </Card>
  )
}

const Row = ({ passkey, open }: { passkey: Passkey; open: (open: Open) => void }) => {
  const t = useT()
  const { name, backed_up, created_time, last_used_time } = passkey
  return (
    <Stack
      component="li"
      direction="row"
      spacing={1}
      sx={{ py: 1, alignItems: 'center', borderBottom: '1px solid', borderColor: 'divider' }}
    >
      <Box sx={{ flex: 1, minWidth: 0 }}>
        <Stack direction="row" spacing={1} sx={{ alignItems: 'center' }}>
          <Typography noWrap sx={{ fontWeight: 600 }}>
            {name}
          </Typography>
          {backed_up && <Badge tone="blue" text={t('passkeys.synced')} />}
        </Stack>
        <Typography variant="body2" component="div" sx={{ color: 'text.secondary' }}>
          {t('passkeys.created')} <Timestamp at={created_time} />
          {' · '}
          {t('passkeys.lastUsed')} <Timestamp at={last_used_time} />
        </Typography>
      </Box>
      <RowMenu label={name}>
        <ActionItem onClick={() => open({ form: 'rename', passkey })}>
          {t('passkeys.rename')}
        </ActionItem>
        <ActionItem onClick={() => open({ form: 'remove', passkey })}>
          {t('passkeys.remove')}
        </ActionItem>
      </RowMenu>
    </Stack>
  )
}

const NewPasskey = { name: PasskeyName }

const AddForm = ({ close }: { close: () => void }) => {
  const t = useT()
  const add = useAction(changed, (input: { name: string }) => addPasskey(t, input), {
    successKey: 'passkeys.added',
    onSuccess: close,
  })
  return (
    <Box>
      <Typography variant="body2" sx={{ mb: 2 }}>
        {t('passkeys.addText')}
      </Typography>
      <ProofForm
        endpoint={api.passkeys.beginRegistration}
        schemaOf={proof => z.object({ ...NewPasskey, ...proof })}
        submit={add}
        submitLabel={t('passkeys.add')}
        fieldOverrides={{ name: { label: t('passkeys.name'), placeholder: t('passkeys.example') } }}
      />
      <CloseButton close={close} />
    </Box>
  )
}

const addPasskey = async (t: T, { name, ...proof }: { name: string } & Partial<ProofValues>) => {
  const options = await api.passkeys.beginRegistration(proof)
  try {
    return await registerPasskey(options, name)
  } catch (error) {
    if (error instanceof Error && error.name === 'InvalidStateError')
      throw apiError(409, { code: 'passkey.exists' })
    throw isPasskeyCancelled(error)
      ? apiError(400, { message: t('sign-in.passkey.cancelled') })
      : error
  }
}
type ProofValues = z.output<z.ZodObject<ProofShape>>

const RemoveForm = ({ passkey: { id, name }, close }: { passkey: Passkey; close: () => void }) => {
  const t = useT()
  const remove = useAction(changed, api.passkeys.remove, {
    successKey: 'passkeys.removed',
    onSuccess: close,
  })
  return (
    <Box>
      <Typography variant="body2" sx={{ mb: 2 }}>
        {t('passkeys.removeText', { name })}
      </Typography>
      <ProofForm
        endpoint={api.passkeys.remove}
        submit={remove}
        submitLabel={t('passkeys.remove')}
        transform={proof => ({ ...(proof as object), id })}
      />
      <CloseButton close={close} />
    </Box>
  )
}

const CloseButton = ({ close }: { close: () => void }) => {
  const t = useT()
  return (
    <Button size="small" color="inherit" sx={{ mt: 1 }} onClick={close}>
      {t('common.cancel')}
    </Button>
  )
}

const RenameDialog = ({
  passkey: { id, name },
  close,
}: {
  passkey: Passkey
  close: () => void
}) => {
  const t = useT()
  const rename = useAction('passkeys', api.passkeys.rename)
  return (
    <FormDialog
      open
      title={t('passkeys.rename')}
      resource="passkeys"
      schema={z.object(NewPasskey)}
      initialValues={{ name }}
      fieldOverrides={{ name: { label: t('passkeys.name') } }}
      submit={rename}
      transform={values => ({ ...values, id })}
      onClose={close}
      onSuccess={close}
    />
  )
}
