import Tooltip from '@mui/material/Tooltip'
import { useState } from 'react'
import { Switch } from '../switch.tsx'
import { type Confirmation, ConfirmDialog } from './confirm.tsx'

type ToggleProps = {
  checked: boolean
  /** Names the switch for screen readers. */
  label: string
  onChange: (checked: boolean) => Promise<unknown>
  /** The confirmation before switching off. */
  confirmOff?: Omit<Confirmation, 'onConfirm'>
  /** The reason why the switch is disabled, shown as a tooltip. */
  disabledReason?: string | undefined
}

/** A switch that acts at once. It shows the state of the server, not of the click. */
export const Toggle = ({ checked, label, onChange, confirmOff, disabledReason }: ToggleProps) => {
  const [isConfirming, setConfirming] = useState(false)
  const [busy, setBusy] = useState(false)
  const run = async (next: boolean) => {
    setBusy(true)
    await onChange(next)
    setBusy(false)
  }
  const toggle = () => (checked && confirmOff ? setConfirming(true) : void run(!checked))
  return (
    <>
      <Tooltip title={disabledReason ?? ''}>
        <span>
          <Switch
            checked={checked}
            disabled={busy || disabledReason !== undefined}
            onClick={event => event.stopPropagation()}
            onChange={toggle}
            aria-label={label}
          />
        </span>
      </Tooltip>
      {confirmOff && (
        <ConfirmDialog
          {...confirmOff}
          open={isConfirming}
          onClose={() => setConfirming(false)}
          onConfirm={() => run(false)}
        />
      )}
    </>
  )
}
