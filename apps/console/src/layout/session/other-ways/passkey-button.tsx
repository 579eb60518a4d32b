import KeyIcon from 'virtual:icons/fingerprint'
import type { SignInResult } from '@hub/contract'
import Alert from '@mui/material/Alert'
import Button from '@mui/material/Button'
import { useState } from 'react'
import { errorText } from '../../../api'
import { isPasskeyCancelled, signInByPasskey } from '../../../domain/sign-in/passkeys.ts'
import { useT } from '../../../ui'

/** Signs in by a passkey of this site, without a name. */
export const PasskeyButton = ({ finish }: { finish: (result: SignInResult) => void }) => {
  const t = useT()
  const [error, setError] = useState('')
  const [isPending, setIsPending] = useState(false)
  const signIn = async () => {
    setError('')
    setIsPending(true)
    try {
      finish(await signInByPasskey())
    } catch (failure) {
      setError(
        isPasskeyCancelled(failure) ? t('sign-in.passkey.cancelled') : errorText(t, failure).text,
      )
    } finally {
      setIsPending(false)
    }
  }
  return (
    <>
      {error && (
        <Alert severity="error" variant="outlined" role="alert">
          {error}
        </Alert>
      )}
      <Button
        variant="outlined"
        color="inherit"
        size="large"
        fullWidth
        loading={isPending}
        startIcon={<KeyIcon />}
        onClick={() => void signIn()}
      >
        {t('sign-in.passkey.action')}
      </Button>
    </>
  )
}
