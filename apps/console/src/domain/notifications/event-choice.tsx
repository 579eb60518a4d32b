import Checkbox from '@mui/material/Checkbox'
import FormControlLabel from '@mui/material/FormControlLabel'
import FormGroup from '@mui/material/FormGroup'
import { useT } from '../../ui/index.ts'

type Props = {
  events: readonly string[]
  value: readonly string[]
  set: (value: string[]) => void
  label: string
}

/** Shows a check box for each event. */
export const EventChoice = ({ events, value, set, label }: Props) => {
  const t = useT()
  return (
    <FormGroup aria-label={label}>
      {events.map(event => (
        <FormControlLabel
          key={event}
          label={t(`notifications.events.${event.replace('.', '_')}`)}
          control={
            <Checkbox
              size="small"
              checked={value.includes(event)}
              onChange={(_, checked) =>
                set(checked ? [...value, event] : value.filter(each => each !== event))
              }
            />
          }
        />
      ))}
    </FormGroup>
  )
}
