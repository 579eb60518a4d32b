import Box from '@mui/material/Box'
import InputBase from '@mui/material/InputBase'
import ListItemButton from '@mui/material/ListItemButton'
import { useColorScheme } from '@mui/material/styles'
import { type KeyboardEvent, useId, useState } from 'react'
import { useNavigate } from 'react-router'
import { isAdmin, isRoot, useSession, useSite } from '../../api'
import { chooseLanguage } from '../../locales/language.ts'
import { useT } from '../../ui'
import { useSignOut } from '../session/use-sign-out.ts'
import { type Command, commandsFor, findCommands } from './commands.ts'
import { useFoundRecords } from './use-found-records.ts'

type PaletteOption = {
  id: string
  label: string
  /** Names the kind of a record. Pages and actions have none. */
  kind?: string
  run: () => unknown
}

/** Pages and actions with what they do. */
const useCommands = () => {
  const t = useT()
  const navigate = useNavigate()
  const user = useSession()
  const site = useSite()
  const signOut = useSignOut()
  const { mode, systemMode, setMode } = useColorScheme()
  const isDark = (mode === 'system' ? systemMode : mode) === 'dark'
  const permissions = user && {
    isAdmin: isAdmin(user),
    isRoot: isRoot(user),
    hasInvoices: site.UserInvoiceMonth,
  }
  const run = ({ id, url, language }: Command) => {
    // The palette has an entry of its own in the history, which the page replaces.
    if (url) return navigate(url, { replace: true })
    if (language) return chooseLanguage(language)
    if (id === 'theme') return setMode(isDark ? 'light' : 'dark')
    if (id === 'keys') return window.dispatchEvent(new KeyboardEvent('keydown', { key: '?' }))
    return signOut()
  }
  return commandsFor(permissions ?? undefined).map(command => ({
    id: command.id,
    label: t(command.labelKey),
    synonyms: t(`palette.synonyms.${command.id}`),
    run: () => run(command),
  }))
}

/** The input and the list of the command palette, loaded when it opens. */
export const Palette = ({ close }: { close: () => void }) => {
  const t = useT()
  const id = useId()
  const [text, setText] = useState('')
  const [activeIndex, setActiveIndex] = useState(0)
  const navigate = useNavigate()
  const commands: PaletteOption[] = findCommands(useCommands(), text)
  const records = useFoundRecords(text).map(
    ({ kind, id: key, label, url }): PaletteOption => ({
      id: `${kind}-${key}`,
      label,
      kind: t(`common.palette.kinds.${kind}`),
      run: () => navigate(url, { replace: true }),
    }),
  )
  const found = [...commands, ...records]
  const run = (command: PaletteOption | undefined) => {
    if (!command) return
    close()
    command.run()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step) {
      event.preventDefault()
      setActiveIndex((activeIndex + step + found.length) % Math.max(1, found.length))
    }
    if (event.key === 'Enter') run(found[activeIndex])
  }
  return (
    <>
      <InputBase
        autoFocus
        fullWidth
        value={text}
        placeholder={t('common.palette.placeholder')}
        onChange={event => {
          setText(event.target.value)
          setActiveIndex(0)
        }}
        onKeyDown={onKeyDown}
        sx={inputStyle}
        inputProps={{
          role: 'combobox',
          'aria-expanded': true,
          'aria-controls': id,
          'aria-activedescendant': found[activeIndex]
            ? `${id}-${found[activeIndex].id}`
            : undefined,
          'aria-label': t('common.palette.title'),
        }}
      />
      <Box
        id={id}
        role="listbox"
        aria-label={t('common.palette.title')}
        sx={{ p: 1, maxHeight: 360, overflowY: 'auto' }}
      >
        {found.map((command, index) => (
          <CommandOption
            key={command.id}
            id={`${id}-${command.id}`}
            command={command}
            isActive={index === activeIndex}
            run={() => run(command)}
          />
        ))}
        {found.length === 0 && (
          <Box sx={{ p: 2, color: 'text.secondary', fontSize: 13 }}>{t('common.noMatch')}</Box>
        )}
      </Box>
    </>
  )
}

const inputStyle = {
  ...{ px: 2.5, height: 56, fontSize: 16 },
  ...{ borderBottom: '1px solid', borderColor: 'divider' },
}

type CommandOptionProps = { id: string; command: PaletteOption; isActive: boolean; run: () => void }

const CommandOption = ({ id, command: { label, kind }, isActive, run }: CommandOptionProps) => (
  <ListItemButton
    id={id}
    role="option"
    aria-selected={isActive}
    selected={isActive}
    tabIndex={-1}
    onClick={run}
    sx={{ borderRadius: '8px', justifyContent: 'space-between', gap: 2 }}
  >
    <Box component="span" sx={{ overflowWrap: 'anywhere' }}>
      {label}
    </Box>
    {kind && (
      <Box component="span" sx={{ color: 'text.secondary', fontSize: 12, flexShrink: 0 }}>
        {kind}
      </Box>
    )}
  </ListItemButton>
)
