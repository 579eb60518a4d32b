import { playgroundTokenName } from '@hub/contract'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Container from '@mui/material/Container'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { useLocation } from 'react-router'
import { api, query, useSession } from '../../api'
import { Card, EmptyState, Page, useT } from '../../ui'
import { Composer } from './composer.tsx'
import type { AttachedImage } from './images.ts'
import { ownTokenId, readSettings, type Settings } from './settings.ts'
import { Setup } from './setup.tsx'
import { loadChat, type SavedChat, saveChat } from './storage.ts'
import { Turns } from './turns.tsx'
import { useChat } from './use-chat.ts'

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

/** Stores the chat when an answer ends and when the page is left. */
const useSaved = (userId: number, chat: SavedChat, isRunning: boolean) => {
  const latest = useRef(chat)
  latest.current = chat
  useEffect(() => {
    const save = () => saveChat(userId, latest.current)
    if (!isRunning) save()
    window.addEventListener('pagehide', save)
    return () => {
      window.removeEventListener('pagehide', save)
      save()
    }
  }, [userId, isRunning])
}

/** The tokens and models to choose from, and those that are chosen and still exist. */
const useChoices = (settings: Settings) => {
  const tokens = useQuery(query(api.tokens.list, { page: 1, size: 100 }))
  const available = useQuery(query(api.models.available))
  const own = { id: ownTokenId, name: playgroundTokenName }
  const usable = [
    own,
    ...(tokens.data?.data ?? []).filter(each => each.status === 1 && each.name !== own.name),
  ]
  const names = Object.keys(available.data ?? {}).toSorted()
  const known = (name: string) => (names.includes(name) ? name : (names[0] ?? ''))
  const { secondModel } = settings
  return {
    isLoading: tokens.isPending || available.isPending,
    usable,
    names,
    tokenId: usable.find(each => each.id === settings.tokenId)?.id ?? ownTokenId,
    model: known(settings.model),
    secondModel: secondModel === undefined ? undefined : known(secondModel),
  }
}

const Playground = () => {
  const t = useT()
  const userId = useSession()?.id ?? 0
  const [saved] = useState(() => loadChat(userId))
  const [settings, setSettings] = useState(saved.settings)
  const choices = useChoices(settings)
  const chat = useChat(saved.turns)
  useSaved(userId, { settings, turns: chat.turns }, chat.isRunning)
  const { errors, ...read } = readSettings(settings)
  const { tokenId, model, secondModel } = choices
  const isInvalid = Object.keys(errors).length > 0
  const question = {
    ...{ ...read, tokenId, dialect: settings.dialect, system: settings.system },
    models: secondModel === undefined ? [model] : [model, secondModel],
  }
  const send = (prompt: string, images: readonly AttachedImage[]) =>
    void chat.send({ ...question, prompt, images })
  const clear = chat.turns.length > 0 && (
    <Button color="inherit" variant="outlined" onClick={chat.clear}>
      {t('playground.clear')}
    </Button>
  )
  if (!choices.isLoading && !model) return <MissingModel />
  return (
    <Page title={t('playground.title')} intro={t('playground.intro')} actions={clear}>
      <Box sx={columns}>
        <Box sx={conversation}>
          <Box sx={{ flex: 1, pb: 3 }}>
            {chat.turns.length === 0 ? (
              <EmptyState title={t('playground.empty')} text={t('playground.emptyText')} />
            ) : (
              <Turns
                turns={chat.turns}
                retry={chat.isRunning || isInvalid ? undefined : () => chat.retry(question)}
              />
            )}
          </Box>
          <Composer
            isRunning={chat.isRunning}
            isBlocked={isInvalid || choices.isLoading}
            stop={chat.stop}
            send={send}
          />
        </Box>
        <Box sx={side}>
          <Setup
            {...choices}
            {...{ settings, errors }}
            set={patch => setSettings(now => ({ ...now, ...patch }))}
          />
        </Box>
      </Box>
    </Page>
  )
}

const columns = {
  display: 'grid',
  gap: 2,
  gridTemplateColumns: { xs: 'minmax(0, 1fr)', md: 'minmax(0, 1fr) 300px' },
  alignItems: 'start',
}

/** Longer than a low screen with its parameters open, so that it scrolls by itself. */
const side = {
  order: { xs: 1, md: 2 },
  position: { md: 'sticky' },
  top: { md: 88 },
  maxHeight: { md: 'calc(100dvh - 104px)' },
  overflowY: { md: 'auto' },
}

const conversation = {
  order: { xs: 2, md: 1 },
  display: 'flex',
  flexDirection: 'column',
  minWidth: 0,
  minHeight: { xs: 'calc(100dvh - 430px)', md: 'calc(100dvh - 220px)' },
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
