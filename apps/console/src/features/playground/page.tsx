import { playgroundTokenName } from '@hub/contract'
import SendIcon from '@mui/icons-material/ArrowUpwardOutlined'
import StopIcon from '@mui/icons-material/StopOutlined'
import Autocomplete, { type AutocompleteRenderInputParams } from '@mui/material/Autocomplete'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Container from '@mui/material/Container'
import FormHelperText from '@mui/material/FormHelperText'
import IconButton from '@mui/material/IconButton'
import InputAdornment from '@mui/material/InputAdornment'
import MenuItem from '@mui/material/MenuItem'
import OutlinedInput from '@mui/material/OutlinedInput'
import Select from '@mui/material/Select'
import TextField from '@mui/material/TextField'
import useMediaQuery from '@mui/material/useMediaQuery'
import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { useLocation } from 'react-router'
import { api, query } from '../../api'
import { ModelMark, ModelName } from '../../domain/index.ts'
import { Card, EmptyState, Field, Page, useT } from '../../ui'
import { Turns } from './turns.tsx'
import { ownTokenId, useChat } from './use-chat.ts'

/** A chat with a model by the token of the playground, or by another of the user's own. */
export const PlaygroundPage = () => {
  const { pathname } = useLocation()
  if (pathname.startsWith('/panel')) return <Playground />
  return (
    <Container maxWidth="lg" sx={{ py: 3 }}>
      <Playground />
    </Container>
  )
}

const useChoices = () => {
  const tokens = useQuery(query(api.tokens.list, { page: 1, size: 100 }))
  const models = useQuery(query(api.models.available))
  const [tokenId, setTokenId] = useState<number | undefined>(undefined)
  const [model, setModel] = useState('')
  const own = { id: ownTokenId, name: playgroundTokenName }
  const usable = [
    own,
    ...(tokens.data?.data ?? []).filter(each => each.status === 1 && each.name !== own.name),
  ]
  const names = Object.keys(models.data ?? {}).toSorted()
  return {
    isLoading: tokens.isPending || models.isPending,
    usable,
    names,
    token: usable.find(each => each.id === tokenId) ?? own,
    model: model || (names[0] ?? ''),
    setTokenId,
    setModel,
  }
}

const Playground = () => {
  const t = useT()
  const choices = useChoices()
  const chat = useChat()
  const [system, setSystem] = useState('')
  const { token, model } = choices
  const clear = chat.turns.length > 0 && (
    <Button color="inherit" onClick={chat.clear}>
      {t('playground.clear')}
    </Button>
  )
  if (!choices.isLoading && !model) return <MissingModel />
  return (
    <Page title={t('playground.title')} intro={t('playground.intro')} actions={clear}>
      <Box
        sx={{
          display: 'grid',
          gap: 2,
          gridTemplateColumns: { xs: 'minmax(0, 1fr)', md: 'minmax(0, 1fr) 280px' },
          alignItems: 'start',
        }}
      >
        <Box
          sx={{
            order: { xs: 2, md: 1 },
            display: 'flex',
            flexDirection: 'column',
            minHeight: { xs: 'calc(100dvh - 430px)', md: 'calc(100dvh - 220px)' },
          }}
        >
          <Box sx={{ flex: 1, pb: 3 }}>
            {chat.turns.length === 0 ? (
              <EmptyState title={t('playground.empty')} text={t('playground.emptyText')} />
            ) : (
              <Turns turns={chat.turns} />
            )}
          </Box>
          <Composer
            isRunning={chat.isRunning}
            stop={chat.stop}
            send={text =>
              chat.send(text, { tokenId: token.id, tokenName: token.name, model, system })
            }
          />
        </Box>
        <Box sx={{ order: { xs: 1, md: 2 }, position: { md: 'sticky' }, top: { md: 88 } }}>
          <Setup {...choices} {...{ system, setSystem }} />
        </Box>
      </Box>
    </Page>
  )
}

type SetupProps = ReturnType<typeof useChoices> & {
  system: string
  setSystem: (text: string) => void
}

const Setup = ({
  isLoading,
  usable,
  names,
  token,
  model,
  setTokenId,
  setModel,
  system,
  setSystem,
}: SetupProps) => {
  const t = useT()
  const isWide = useMediaQuery('(min-width: 900px)', { noSsr: true })
  return (
    <Card>
      <Box sx={{ display: 'grid', gap: 2, gridTemplateColumns: { xs: '1fr 1fr', md: '1fr' } }}>
        <Field label={t('playground.token')}>
          {({ id }) => (
            <Select
              id={id}
              labelId={`${id}-label`}
              fullWidth
              value={token.id}
              onChange={event => setTokenId(Number(event.target.value))}
            >
              {usable.map(each => (
                <MenuItem key={each.id} value={each.id}>
                  {each.id === ownTokenId ? t('playground.ownToken') : each.name}
                </MenuItem>
              ))}
            </Select>
          )}
        </Field>
        <Field label={t('playground.model')}>
          {({ id }) => (
            <Autocomplete
              id={id}
              size="small"
              disableClearable
              disabled={isLoading}
              options={names}
              value={model}
              onChange={(_, next) => setModel(next)}
              renderOption={({ key, ...props }, name) => (
                <li key={key} {...props}>
                  <ModelName name={name} />
                </li>
              )}
              renderInput={params => <ModelInput {...params} model={model} />}
            />
          )}
        </Field>
      </Box>
      <Box component="details" open={isWide} sx={{ mt: 2 }}>
        <Box component="summary" sx={{ cursor: 'pointer', fontSize: 13, fontWeight: 500, mb: 0.5 }}>
          {t('playground.system')}
        </Box>
        <OutlinedInput
          fullWidth
          multiline
          minRows={2}
          maxRows={8}
          value={system}
          onChange={event => setSystem(event.target.value)}
          inputProps={{ 'aria-label': t('playground.system') }}
        />
        <FormHelperText>{t('playground.systemHelp')}</FormHelperText>
      </Box>
    </Card>
  )
}

type ComposerProps = { isRunning: boolean; stop: () => void; send: (text: string) => unknown }

const Composer = ({ isRunning, stop, send }: ComposerProps) => {
  const t = useT()
  const [text, setText] = useState('')
  const submit = (event?: FormEvent) => {
    event?.preventDefault()
    if (isRunning || text.trim() === '') return
    setText('')
    send(text.trim())
  }
  return (
    <Box
      component="form"
      onSubmit={submit}
      sx={{ position: 'sticky', bottom: 0, pb: 2, pt: 1, bgcolor: 'background.default' }}
    >
      <OutlinedInput
        fullWidth
        multiline
        maxRows={8}
        value={text}
        placeholder={t('playground.placeholder')}
        inputProps={{ 'aria-label': t('playground.message') }}
        onChange={event => setText(event.target.value)}
        onKeyDown={event => {
          // Enter also confirms a Chinese or Japanese word in an input method; that must not send.
          if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return
          event.preventDefault()
          submit()
        }}
        endAdornment={
          isRunning ? (
            <IconButton aria-label={t('playground.stop')} onClick={stop}>
              <StopIcon />
            </IconButton>
          ) : (
            <IconButton
              type="submit"
              color="primary"
              aria-label={t('playground.send')}
              disabled={!text.trim()}
            >
              <SendIcon />
            </IconButton>
          )
        }
        sx={{ pr: 1, borderRadius: '12px' }}
      />
    </Box>
  )
}

const MissingModel = () => {
  const t = useT()
  return (
    <Page title={t('playground.title')}>
      <Card>
        <EmptyState
          title={t('playground.missing.model')}
          text={t('playground.missing.modelText')}
        />
      </Card>
    </Page>
  )
}

/** The field of the model, with the mark of the chosen one. */
const ModelInput = ({ model, ...params }: AutocompleteRenderInputParams & { model: string }) => (
  <TextField
    {...params}
    slotProps={{
      ...params.slotProps,
      input: {
        ...params.slotProps.input,
        startAdornment: (
          <InputAdornment position="start" sx={{ color: 'text.primary', ml: 0.5, mr: 0.25 }}>
            <ModelMark name={model} />
          </InputAdornment>
        ),
      },
    }}
  />
)
