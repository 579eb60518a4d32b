import Alert from '@mui/material/Alert'
import Button from '@mui/material/Button'
import { formatTime, useT } from '../../ui/index.ts'

type Props = { waiting: { at: number; models: string[] }; open: () => void }

/** Changes that the automatic update left to an administrator, with a button to look at them. */
export const WaitingBar = ({ waiting, open }: Props) => {
  const t = useT()
  return (
    <Alert
      severity="warning"
      variant="outlined"
      sx={{ mb: 2 }}
      action={
        <Button size="small" color="inherit" onClick={open}>
          {t('waiting-prices.open')}
        </Button>
      }
    >
      {t('waiting-prices.text', {
        count: waiting.models.length,
        at: formatTime(waiting.at),
        models: waiting.models.slice(0, 5).join(', '),
      })}
    </Alert>
  )
}
