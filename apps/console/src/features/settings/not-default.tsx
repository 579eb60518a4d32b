import Box from '@mui/material/Box'
import Tooltip from '@mui/material/Tooltip'
import { useT } from '../../ui/index.ts'
import { defaultTextOf, type FieldKey } from './values.ts'

/** Marks a setting whose stored value is not its default, and shows the default on hover. */
export const NotDefault = ({ name }: { name: FieldKey }) => {
  const t = useT()
  const text = defaultTextOf(name)
  const shown = text === '' ? t('settings.empty') : text.slice(0, 200)
  return (
    <Tooltip title={t('settings.default', { value: shown })}>
      <Box
        component="span"
        sx={{
          ...{ ml: 1, px: 0.75, borderRadius: '6px', border: '1px solid', borderColor: 'divider' },
          ...{ fontSize: 11, fontWeight: 400, color: 'text.secondary', whiteSpace: 'nowrap' },
        }}
      >
        {t('settings.notDefault')}
      </Box>
    </Tooltip>
  )
}
