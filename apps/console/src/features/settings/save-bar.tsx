import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Paper from '@mui/material/Paper'
import Stack from '@mui/material/Stack'
import { useT } from '../../ui/index.ts'
import { displayTextOf, type SettingChange } from './values.ts'

type Props = { changes: readonly SettingChange[]; isSaving: boolean; discard: () => void }

/** The list of unsaved changes, with buttons to save or discard them. It must stand inside the settings form. */
export const SaveBar = ({ changes, isSaving, discard }: Props) => {
  const t = useT()
  return (
    <Paper
      role="region"
      aria-label={t('settings.pending', { count: changes.length })}
      elevation={6}
      sx={{
        position: 'sticky',
        bottom: 16,
        zIndex: 2,
        mt: 3,
        p: 2,
        border: '1px solid',
        borderColor: 'divider',
      }}
    >
      <Box component="ul" sx={{ m: 0, p: 0, listStyle: 'none', maxHeight: 160, overflowY: 'auto' }}>
        {changes.map(change => (
          <Box
            component="li"
            key={change.key}
            sx={{ display: 'flex', gap: 1, fontSize: 13, py: 0.25, minWidth: 0 }}
          >
            <Box component="span" sx={{ fontWeight: 500, flexShrink: 0 }}>
              {t(`settings.fields.${change.key}`)}
            </Box>
            <Box component="span" sx={{ color: 'text.secondary', ...ellipsis }}>
              <Value text={displayTextOf(change.key, change.before)} /> →{' '}
              <Value text={displayTextOf(change.key, change.after)} />
            </Box>
          </Box>
        ))}
      </Box>
      <Stack direction="row" spacing={1} sx={{ justifyContent: 'flex-end', mt: 1.5 }}>
        <Button color="inherit" disabled={isSaving} onClick={discard}>
          {t('settings.discard')}
        </Button>
        <Button type="submit" variant="contained" loading={isSaving}>
          {t('settings.save', { count: changes.length })}
        </Button>
      </Stack>
    </Paper>
  )
}

const ellipsis = { overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap', minWidth: 0 }

const Value = ({ text }: { text: string }) => {
  const t = useT()
  if (text === 'true' || text === 'false')
    return <>{t(text === 'true' ? 'common.yes' : 'common.no')}</>
  const line = text.replaceAll(/\s+/g, ' ')
  return (
    <>{line === '' ? t('settings.empty') : line.slice(0, 40) + (line.length > 40 ? '…' : '')}</>
  )
}
