import Alert from '@mui/material/Alert'
import Button from '@mui/material/Button'

type FormFooterProps = { error: string; submitLabel: string; isSubmitting: boolean }

/** The server error and the submit button. */
export const FormFooter = ({ error, submitLabel, isSubmitting }: FormFooterProps) => (
  <>
    {error && (
      <Alert severity="error" variant="outlined" role="alert">
        {error}
      </Alert>
    )}
    <Button type="submit" variant="contained" size="large" fullWidth loading={isSubmitting}>
      {submitLabel}
    </Button>
  </>
)
