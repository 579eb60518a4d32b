import Alert from '@mui/material/Alert'
import Button from '@mui/material/Button'

type End = { refusal: string; verb: string; isSubmitting: boolean }

/** What the server refused, and the button: the end of each form here. */
export const FormEnd = ({ refusal, verb, isSubmitting }: End) => (
  <>
    {refusal && (
      <Alert severity="error" variant="outlined" role="alert">
        {refusal}
      </Alert>
    )}
    <Button type="submit" variant="contained" size="large" fullWidth loading={isSubmitting}>
      {verb}
    </Button>
  </>
)
