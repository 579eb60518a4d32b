import CheckIcon from 'virtual:icons/check'
import CopyIcon from 'virtual:icons/content-copy'
import Box from '@mui/material/Box'
import IconButton from '@mui/material/IconButton'
import Tooltip from '@mui/material/Tooltip'
import { useState } from 'react'
import { useT } from '../../locales/use-t.ts'
import { notify } from '../feedback/toast.tsx'
import { mono } from '../theme.ts'

/** Copies a text and shows a toast. When the browser refuses, the toast shows the text to copy by hand. */
export const useCopy = () => {
  const t = useT()
  return async (text: string, what = ''): Promise<boolean> => {
    try {
      await writeText(text)
      notify.success(t('common.copied', { what }))
      return true
    } catch {
      notify.copy(`${t('common.copyFailed', { what })}${text}`)
      return false
    }
  }
}

/** Writes to the clipboard. Plain HTTP has no Clipboard API, so `execCommand` is used there. */
const writeText = async (text: string) => {
  if (navigator.clipboard) return navigator.clipboard.writeText(text)
  const area = document.createElement('textarea')
  area.value = text
  area.style.position = 'fixed'
  area.style.opacity = '0'
  // An open dialog traps the focus, so the text area must be inside the dialog to be selected.
  const dialog = document.activeElement?.closest('[role=dialog]')
  const host = dialog ?? document.body
  host.append(area)
  area.select()
  const copied = document.activeElement === area && document.execCommand('copy')
  area.remove()
  if (!copied) throw new TypeError('copy refused')
}

type CopyProps = {
  text: string | (() => Promise<string | undefined>)
  what?: string
  label?: string
}

export const CopyButton = ({ text, what = '', label }: CopyProps) => {
  const t = useT()
  const copy = useCopy()
  const [done, setDone] = useState(false)
  const click = async () => {
    const value = typeof text === 'string' ? text : await text()
    if (value === undefined || !(await copy(value, what))) return
    setDone(true)
    setTimeout(() => setDone(false), 1500)
  }
  const name = label ?? `${t('common.copy')} ${what}`.trim()
  return (
    <Tooltip title={name}>
      <IconButton
        size="small"
        aria-label={name}
        onClick={event => {
          event.stopPropagation()
          void click()
        }}
      >
        {done ? <CheckIcon sx={{ fontSize: 16 }} /> : <CopyIcon sx={{ fontSize: 16 }} />}
      </IconButton>
    </Tooltip>
  )
}

/** A short text with a copy button. */
export const Copyable = ({ text, what = '' }: { text: string; what?: string }) => (
  <Box
    component="span"
    sx={{ display: 'inline-flex', alignItems: 'center', gap: 0.25, minWidth: 0 }}
  >
    <Box
      component="span"
      sx={{ fontFamily: mono, fontSize: 12, overflow: 'hidden', textOverflow: 'ellipsis' }}
    >
      {text}
    </Box>
    <CopyButton text={text} what={what} />
  </Box>
)
