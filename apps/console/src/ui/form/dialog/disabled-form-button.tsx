import Button from '@mui/material/Button'
import Tooltip from '@mui/material/Tooltip'

/** Stands for the button of a form that the user may not open, and says why. */
export const DisabledFormButton = ({ label, reason }: { label: string; reason: string }) => (
  <Tooltip title={reason} describeChild>
    {/* A disabled button has no events that show a tooltip. */}
    <span>
      <Button variant="contained" disabled aria-description={reason}>
        {label}
      </Button>
    </span>
  </Tooltip>
)
