import Alert from '@mui/material/Alert'
import Button from '@mui/material/Button'

type FormFooterProps = { refusal: string; verb: string; isSubmitting: boolean }

/** The server error and the submit button. */
export const FormFooter = ({ refusal, verb, isSubmitting }: FormFooterProps) => (
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
