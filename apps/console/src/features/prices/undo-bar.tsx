import Alert from '@mui/material/Alert'
import { useQuery } from '@tanstack/react-query'
import { api, query, useAction } from '../../api/index.ts'
import { ConfirmButton, formatTime, useT } from '../../ui/index.ts'

/** The last change of many prices, and the way back. */
export const UndoBar = () => {
  const t = useT()
  const { data: last } = useQuery(query(api.prices.lastChange))
  const undo = useAction(['prices', 'models'], api.prices.undo, { done: 'prices.undo.done' })
  if (!last) return null
  const { count, actor_name: actor } = last
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
          verb={t('prices.undo.verb')}
          onConfirm={() => undo({})}
        >
          {t('prices.undo.verb')}
        </ConfirmButton>
      }
    >
      {t('prices.undo.said', {
        actor,
        count,
        at: formatTime(last.at),
        what: t(`prices.undo.what.${last.what}`),
      })}
    </Alert>
  )
}
