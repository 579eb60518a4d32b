import Switch from '@mui/material/Switch'
import Tooltip from '@mui/material/Tooltip'
import { useState } from 'react'
import { type Confirmation, ConfirmDialog } from './confirm.tsx'

type ToggleProps = {
  checked: boolean
  /** Names what is switched, for those who do not see the row. */
  label: string
  onChange: (on: boolean) => Promise<unknown>
  /** Asked before it is switched off. */
  confirmOff?: Omit<Confirmation, 'onConfirm'>
  /** Why it cannot be switched. */
  disabledReason?: string | undefined
}

/** A switch that acts at once, and shows the state of the server and not of the finger. */
export const Toggle = ({
  checked: on,
  label,
  onChange: change,
  confirmOff,
  disabledReason: refusal,
}: ToggleProps) => {
  const [asking, setAsking] = useState(false)
  const [busy, setBusy] = useState(false)
  const run = async (next: boolean) => {
    setBusy(true)
    await change(next)
    setBusy(false)
  }
  const flip = () => (on && confirmOff ? setAsking(true) : void run(!on))
  return (
    <>
      <Tooltip title={refusal ?? ''}>
        <span>
          <Switch
            size="small"
            checked={on}
            disabled={busy || refusal !== undefined}
            onClick={event => event.stopPropagation()}
            onChange={flip}
            slotProps={{ input: { 'aria-label': label, role: 'switch' } }}
          />
        </span>
      </Tooltip>
      {confirmOff && (
        <ConfirmDialog
          {...confirmOff}
          open={asking}
          onClose={() => setAsking(false)}
          onConfirm={() => run(false)}
        />
      )}
    </>
  )
}
