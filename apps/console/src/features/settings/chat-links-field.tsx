import AddIcon from 'virtual:icons/add'
import DeleteIcon from 'virtual:icons/delete'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import FormControlLabel from '@mui/material/FormControlLabel'
import IconButton from '@mui/material/IconButton'
import OutlinedInput from '@mui/material/OutlinedInput'
import Stack from '@mui/material/Stack'
import Typography from '@mui/material/Typography'
import { useState } from 'react'
import {
  type ChatLink,
  defaultChatLinks,
  isSafeLink,
  readChatLinks,
} from '../../domain/chat-links.ts'
import { Switch, useT } from '../../ui/index.ts'

type NumberedLink = ChatLink & { row: number }
type Props = { id: string; value: string; set: (text: string) => void }

const numbered = (links: ChatLink[]): NumberedLink[] => links.map((link, row) => ({ ...link, row }))

/** Skips rows without a name or an address, which are still being typed. */
const write = (rows: NumberedLink[]) => {
  const links = rows
    .filter(row => row.name.trim() && row.url.trim())
    .map(({ name, url, show, sort }) => ({ name: name.trim(), url: url.trim(), show, sort }))
  return links.length ? JSON.stringify(links) : ''
}

/** The chat clients that can be opened with a token; without entries, four default clients are offered. */
export const ChatLinksField = ({ id, value, set }: Props) => {
  const t = useT()
  const [rows, setRows] = useState(() => numbered(readChatLinks(value)))
  const change = (next: NumberedLink[]) => {
    setRows(next)
    set(write(next))
  }
  const next = Math.max(-1, ...rows.map(each => each.row)) + 1
  const add = () =>
    setRows([...rows, { row: next, name: '', url: '', show: true, sort: rows.length + 1 }])
  return (
    <Stack spacing={1.5} id={id}>
      {rows.length === 0 && (
        <Typography variant="body2" sx={{ color: 'text.secondary' }}>
          {t('settings.chat.defaults', {
            names: defaultChatLinks.map(link => link.name).join(', '),
          })}
        </Typography>
      )}
      {rows.map(row => (
        <LinkRow
          key={row.row}
          link={row}
          update={patch =>
            change(rows.map(each => (each.row === row.row ? { ...each, ...patch } : each)))
          }
          remove={() => change(rows.filter(each => each.row !== row.row))}
        />
      ))}
      <Stack direction="row" spacing={1}>
        <Button size="small" color="inherit" startIcon={<AddIcon />} onClick={add}>
          {t('settings.chat.add')}
        </Button>
        {rows.length === 0 && (
          <Button size="small" color="inherit" onClick={() => change(numbered(defaultChatLinks))}>
            {t('settings.chat.useDefaults')}
          </Button>
        )}
      </Stack>
    </Stack>
  )
}

type LinkRowProps = {
  link: ChatLink
  update: (patch: Partial<ChatLink>) => void
  remove: () => void
}

const LinkRow = ({ link, update, remove }: LinkRowProps) => {
  const t = useT()
  const isUnsafe = link.url !== '' && !isSafeLink(link.url)
  return (
    <Box sx={{ border: '1px solid', borderColor: 'divider', borderRadius: '8px', p: 1.5 }}>
      <Stack direction="row" spacing={1} sx={{ alignItems: 'center' }}>
        <OutlinedInput
          fullWidth
          value={link.name}
          placeholder={t('settings.chat.name')}
          inputProps={{ 'aria-label': t('settings.chat.name') }}
          onChange={event => update({ name: event.target.value })}
        />
        <IconButton aria-label={t('settings.chat.remove', { name: link.name })} onClick={remove}>
          <DeleteIcon fontSize="small" />
        </IconButton>
      </Stack>
      <OutlinedInput
        fullWidth
        value={link.url}
        error={isUnsafe}
        placeholder="https://chat.example.com/?key={key}&server={server}"
        inputProps={{ 'aria-label': t('settings.chat.url') }}
        onChange={event => update({ url: event.target.value })}
        sx={{ mt: 1 }}
      />
      {isUnsafe && (
        <Typography
          variant="caption"
          role="alert"
          component="p"
          sx={{ color: 'error.main', mt: 0.5 }}
        >
          {t('settings.chat.unsafe')}
        </Typography>
      )}
      <Stack direction="row" spacing={2} sx={{ alignItems: 'center', mt: 1 }}>
        <FormControlLabel
          control={<Switch checked={link.show} onChange={show => update({ show })} />}
          label={t('settings.chat.show')}
          sx={{ '& .MuiFormControlLabel-label': { fontSize: 13 } }}
        />
        <OutlinedInput
          type="number"
          value={link.sort}
          inputProps={{ min: 0, 'aria-label': t('settings.chat.sort') }}
          startAdornment={
            <Box
              component="span"
              sx={{ fontSize: 12, color: 'text.secondary', mr: 1, whiteSpace: 'nowrap' }}
            >
              {t('settings.chat.sort')}
            </Box>
          }
          onChange={event => update({ sort: Math.max(0, Math.trunc(Number(event.target.value))) })}
          sx={{ width: 140 }}
        />
      </Stack>
    </Box>
  )
}
