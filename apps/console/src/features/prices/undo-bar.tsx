import Alert from '@mui/material/Alert'
import { useQuery } from '@tanstack/react-query'
import { api, query } from '../../api/index.ts'
import { ConfirmButton, formatTime, useAction, useT } from '../../ui/index.ts'

/** The last bulk change of prices, with an undo button. */
export const UndoBar = () => {
  const t = useT()
  const { data: lastChange } = useQuery(query(api.prices.lastChange))
  const undo = useAction(['prices', 'models'], api.prices.undo, { successKey: 'prices.undo.done' })
  if (!lastChange) return null
  const { count, actor_name: actor } = lastChange
  return (
    <Alert
      severity="info"
      variant="outlined"
      sx={{ mb: 2 }}
      action={
        <ConfirmButton
          size="small"
          color="inherit"
          danger={false}
          title={t('prices.undo.title')}
          text={t('prices.undo.text', { count })}
          confirmLabel={t('prices.undo.action')}
          onConfirm={() => undo({})}
        >
          {t('prices.undo.action')}
        </ConfirmButton>
      }
    >
      {t('prices.undo.summary', {
        actor,
        count,
        at: formatTime(lastChange.at),
        what: t(`prices.undo.what.${lastChange.what}`),
      })}
    </Alert>
  )
}
