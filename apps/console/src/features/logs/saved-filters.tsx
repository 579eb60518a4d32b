import SavedIcon from 'virtual:icons/bookmarks'
import Button from '@mui/material/Button'
import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import DialogTitle from '@mui/material/DialogTitle'
import Divider from '@mui/material/Divider'
import IconButton from '@mui/material/IconButton'
import Menu from '@mui/material/Menu'
import MenuItem from '@mui/material/MenuItem'
import TextField from '@mui/material/TextField'
import Tooltip from '@mui/material/Tooltip'
import { type FormEvent, useState } from 'react'
import { useUser } from '../../api/index.ts'
import { Dialog } from '../../ui/feedback/dialog.tsx'
import { Field, useAddress, useT } from '../../ui/index.ts'
import {
  readSavedFilters,
  type SavedFilter,
  writeSavedFilters,
} from '../../ui/table/state/preferences.ts'

const resource = 'logs'
const nameMax = 40
/** The period would be over at the next use; the rest belongs to the page that is shown. */
const unsaved = ['start_timestamp', 'end_timestamp', 'page', 'after', 'size', 'open']

const queryOf = (params: URLSearchParams): string => {
  const query = new URLSearchParams(params)
  for (const key of unsaved) query.delete(key)
  return query.toString()
}

/** Filters that the user has given a name, in this browser. */
export const SavedFilters = () => {
  const t = useT()
  const user = useUser()
  const [params, change] = useAddress()
  const [anchor, setAnchor] = useState<HTMLElement | null>(null)
  const [isNaming, setNaming] = useState(false)
  const key = `${resource} ${user?.id ?? 0}`
  const [saved, setSaved] = useState(() => readSavedFilters(key))
  const current = queryOf(params)
  const applied = saved.find(each => each.query === current)
  const close = () => setAnchor(null)
  const store = (next: SavedFilter[]) => {
    writeSavedFilters(key, next)
    setSaved(next)
  }
  const apply = ({ query }: SavedFilter) => {
    change(Object.fromEntries(new URLSearchParams(query)), { clear: true })
    close()
  }
  const save = (name: string) => {
    store([...saved.filter(each => each.name !== name), { name, query: current }])
    setNaming(false)
  }
  return (
    <>
      <Tooltip title={t('logs.saved.title')}>
        <IconButton
          aria-label={t('logs.saved.title')}
          aria-haspopup="menu"
          aria-expanded={anchor !== null}
          onClick={event => setAnchor(event.currentTarget)}
        >
          <SavedIcon fontSize="small" />
        </IconButton>
      </Tooltip>
      <Menu open={anchor !== null} anchorEl={anchor} onClose={close}>
        {saved.map(each => (
          <MenuItem
            key={each.name}
            selected={each === applied}
            onClick={() => apply(each)}
            sx={{ fontSize: 14 }}
          >
            {each.name}
          </MenuItem>
        ))}
        {saved.length > 0 && <Divider />}
        {applied ? (
          <MenuItem
            onClick={() => store(saved.filter(each => each !== applied))}
            sx={{ fontSize: 14 }}
          >
            {t('logs.saved.remove', { name: applied.name })}
          </MenuItem>
        ) : (
          <MenuItem
            disabled={current === ''}
            onClick={() => {
              close()
              setNaming(true)
            }}
            sx={{ fontSize: 14 }}
          >
            {t(current === '' ? 'logs.saved.none' : 'logs.saved.save')}
          </MenuItem>
        )}
      </Menu>
      {isNaming && <NameDialog save={save} close={() => setNaming(false)} />}
    </>
  )
}

type NameDialogProps = { save: (name: string) => void; close: () => void }

const NameDialog = ({ save, close }: NameDialogProps) => {
  const t = useT()
  const [name, setName] = useState('')
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (name.trim()) save(name.trim())
  }
  return (
    <Dialog open onClose={close} maxWidth="xs" fullWidth aria-labelledby="saved-filter">
      <form onSubmit={submit}>
        <DialogTitle id="saved-filter">{t('logs.saved.save')}</DialogTitle>
        <DialogContent>
          <Field label={t('logs.saved.name')} help={t('logs.saved.help')}>
            {({ id, describedBy }) => (
              <TextField
                id={id}
                autoFocus
                fullWidth
                size="small"
                value={name}
                onChange={event => setName(event.target.value)}
                slotProps={{ htmlInput: { maxLength: nameMax, 'aria-describedby': describedBy } }}
              />
            )}
          </Field>
        </DialogContent>
        <DialogActions sx={{ px: 3, pb: 2 }}>
          <Button color="inherit" onClick={close}>
            {t('common.cancel')}
          </Button>
          <Button type="submit" variant="contained" disabled={!name.trim()}>
            {t('common.save')}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
