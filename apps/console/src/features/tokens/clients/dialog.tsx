import type { Token } from '@hub/contract'
import Alert from '@mui/material/Alert'
import Autocomplete from '@mui/material/Autocomplete'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import DialogTitle from '@mui/material/DialogTitle'
import MuiLink from '@mui/material/Link'
import MenuItem from '@mui/material/MenuItem'
import Select from '@mui/material/Select'
import Stack from '@mui/material/Stack'
import TextField from '@mui/material/TextField'
import Typography from '@mui/material/Typography'
import useMediaQuery from '@mui/material/useMediaQuery'
import { useQuery } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { api, query, useSite, useUser } from '../../../api/index.ts'
import { ModelName } from '../../../domain/index.ts'
import { serverAddress } from '../../../domain/server-address.ts'
import { Dialog } from '../../../ui/feedback/dialog.tsx'
import { Field, useAction, useT } from '../../../ui/index.ts'
import { clients } from './clients.ts'
import { modelsOfToken } from './models.ts'
import { SelfTest } from './self-test.tsx'
import { SnippetView } from './snippet-view.tsx'
import { useSelfTest } from './use-self-test.ts'

/** `fullKey` is known right after the creation of a token; later it is revealed on demand. */
export type ClientsDialogProps = { token: Token; fullKey?: string | undefined; onClose: () => void }

const placeholder = 'sk-…'

/** The key of the token, once it is known. */
const useKey = (token: Token, known: string | undefined) => {
  const [key, setKey] = useState(known)
  const reveal = useAction([], api.tokens.reveal)
  const get = async () => {
    if (key) return key
    const revealed = (await reveal({ id: token.id }))?.key
    setKey(revealed)
    return revealed
  }
  return { key, get, isPossible: key !== undefined || token.revealable }
}

const useModels = (token: Token) => {
  const me = useUser()
  const { data = {} } = useQuery(query(api.models.available))
  const models = modelsOfToken(token, me.group, data)
  const [chosen, setModel] = useState('')
  return { models, model: chosen || (models[0] ?? ''), setModel }
}

/** Settings of well-known clients for this server and this token. */
export const ClientsDialog = ({ token, fullKey, onClose }: ClientsDialogProps) => {
  const t = useT()
  const site = useSite()
  const titleId = useId()
  const isSmall = useMediaQuery('(max-width: 599px)', { noSsr: true })
  const { key, get, isPossible } = useKey(token, fullKey)
  const { models, model, setModel } = useModels(token)
  const [client, setClient] = useState(clients[0]!)
  const test = useSelfTest()
  const access = {
    server: serverAddress(site.server_address),
    key: key ?? placeholder,
    model: model || 'gpt-4o-mini',
    siteName: site.system_name,
  }
  const runTest = async () => {
    const revealed = await get()
    if (revealed) await test.run(client.dialect, model, revealed)
  }
  return (
    <Dialog
      open
      onClose={onClose}
      onClick={event => event.stopPropagation()}
      maxWidth="md"
      fullWidth
      fullScreen={isSmall}
      aria-labelledby={titleId}
    >
      <DialogTitle id={titleId}>{t('clients.title', { name: token.name })}</DialogTitle>
      <DialogContent>
        <Stack spacing={2.5}>
          <Box sx={{ display: 'grid', gap: 2, gridTemplateColumns: { xs: '1fr', sm: '1fr 1fr' } }}>
            <ClientField
              value={client.id}
              set={id => {
                setClient(clients.find(each => each.id === id) ?? client)
                test.reset()
              }}
            />
            <ModelField
              models={models}
              value={model}
              set={name => {
                setModel(name)
                test.reset()
              }}
            />
          </Box>
          {!key && <KeyHint isPossible={isPossible} reveal={get} />}
          {client.snippets(access).map(snippet => (
            <SnippetView key={snippet.title} snippet={snippet} />
          ))}
          <Hints client={client} href={key && client.link?.(access)} />
          <SelfTest
            result={test.result}
            isPossible={isPossible && model !== ''}
            run={() => void runTest()}
          />
        </Stack>
      </DialogContent>
      <DialogActions sx={{ px: 3, pb: 2 }}>
        <Button variant="contained" onClick={onClose}>
          {t('common.close')}
        </Button>
      </DialogActions>
    </Dialog>
  )
}

const ClientField = ({ value, set }: { value: string; set: (id: string) => void }) => {
  const t = useT()
  return (
    <Field label={t('clients.client')}>
      {({ id }) => (
        <Select
          id={id}
          labelId={`${id}-label`}
          fullWidth
          value={value}
          onChange={event => set(event.target.value)}
        >
          {clients.map(each => (
            <MenuItem key={each.id} value={each.id}>
              {each.name}
            </MenuItem>
          ))}
        </Select>
      )}
    </Field>
  )
}

type ModelFieldProps = { models: string[]; value: string; set: (name: string) => void }

const ModelField = ({ models, value, set }: ModelFieldProps) => {
  const t = useT()
  return (
    <Field label={t('clients.model')} help={models.length === 0 ? t('clients.noModel') : undefined}>
      {({ id }) => (
        <Autocomplete
          id={id}
          size="small"
          disableClearable
          options={models}
          value={value}
          onChange={(_, name) => set(name)}
          renderOption={({ key, ...props }, name) => (
            <li key={key} {...props}>
              <ModelName name={name} />
            </li>
          )}
          renderInput={params => <TextField {...params} />}
        />
      )}
    </Field>
  )
}

const KeyHint = ({ isPossible, reveal }: { isPossible: boolean; reveal: () => unknown }) => {
  const t = useT()
  return (
    <Alert
      severity="info"
      variant="outlined"
      action={
        isPossible && (
          <Button color="inherit" size="small" onClick={reveal}>
            {t('clients.reveal')}
          </Button>
        )
      }
    >
      {t(isPossible ? 'clients.keyHidden' : 'clients.keyUnknown')}
    </Alert>
  )
}

type HintsProps = { client: (typeof clients)[number]; href: string | undefined }

const Hints = ({ client, href }: HintsProps) => {
  const t = useT()
  return (
    <Stack spacing={1} sx={{ alignItems: 'flex-start' }}>
      {href && (
        <Button component="a" href={href} variant="outlined">
          {t('clients.open', { name: client.name })}
        </Button>
      )}
      {client.hasNote && (
        <Typography variant="body2" sx={{ color: 'text.secondary' }}>
          {t(`clients.notes.${client.id}`)}
        </Typography>
      )}
      <MuiLink href={client.docs} target="_blank" rel="noreferrer noopener" variant="body2">
        {t('clients.docs', { name: client.name })}
      </MuiLink>
    </Stack>
  )
}
