import Button from '@mui/material/Button'
import { useEffect, useState } from 'react'
import { api, errorText } from '../../api'
import { notify, useT } from '../../ui'
import { useBotCheck } from './bot-check.tsx'

const waitSeconds = 60

/** Has a code sent to an address, and can be used again after a minute. */
export const EmailCodeButton = ({ email }: { email: string }) => {
  const t = useT()
  const botCheck = useBotCheck('verification')
  const [left, setLeft] = useState(0)
  const [isSending, setIsSending] = useState(false)
  useEffect(() => {
    if (left === 0) return
    const timer = setTimeout(() => setLeft(left - 1), 1000)
    return () => clearTimeout(timer)
  }, [left])
  const send = async () => {
    setIsSending(true)
    try {
      await api['sign-in'].sendVerification({ email, ...botCheck.take() })
      notify.success(t('sign-in.email.sent'))
      setLeft(waitSeconds)
    } catch (error) {
      notify.error(errorText(t, error).text)
    } finally {
      setIsSending(false)
    }
  }
  return (
    <>
      <Button
        variant="outlined"
        color="inherit"
        loading={isSending}
        disabled={left > 0 || !/^\S+@\S+\.\S+$/.test(email)}
        onClick={() => void send()}
      >
        {left > 0 ? t('sign-in.email.wait', { value: left }) : t('sign-in.email.send')}
      </Button>
      {botCheck.widget}
    </>
  )
}
