import Alert from '@mui/material/Alert'
import Box from '@mui/material/Box'
import { useColorScheme } from '@mui/material/styles'
import { useEffect, useRef, useState } from 'react'
import { useT } from '../../ui'

/** https://developers.cloudflare.com/turnstile/get-started/client-side-rendering/ */
type Turnstile = {
  render: (element: HTMLElement, options: Record<string, unknown>) => string
  remove: (id: string) => void
}
type WithTurnstile = { turnstile?: Turnstile }

const address = 'https://challenges.cloudflare.com/turnstile/v0/api.js?render=explicit'
let loading: Promise<Turnstile> | undefined

const load = (): Promise<Turnstile> => {
  const { turnstile } = globalThis as WithTurnstile
  if (turnstile) return Promise.resolve(turnstile)
  loading ??= new Promise<Turnstile>((resolve, reject) => {
    const script = document.createElement('script')
    script.src = address
    script.onload = () => resolve((globalThis as WithTurnstile).turnstile as Turnstile)
    script.onerror = () => {
      loading = undefined
      script.remove()
      reject(new Error('The script of the bot check was not loaded.'))
    }
    document.head.append(script)
  })
  return loading
}

type Props = { action: string; siteKey: string; setToken: (token: string) => void }

/** Shows something only if Cloudflare wants the visitor to do something. */
export const TurnstileWidget = ({ action, siteKey, setToken }: Props) => {
  const t = useT()
  const { mode } = useColorScheme()
  const container = useRef<HTMLDivElement>(null)
  const [hasFailed, setHasFailed] = useState(false)
  const latest = useRef({ setToken, mode })
  useEffect(() => {
    let id: string | undefined
    let isGone = false
    const { setToken, mode } = latest.current
    load()
      .then(turnstile => {
        if (isGone || !container.current) return
        id = turnstile.render(container.current, {
          sitekey: siteKey,
          action,
          theme: mode === 'light' || mode === 'dark' ? mode : 'auto',
          language: document.documentElement.lang.toLowerCase().replace('zh-hk', 'zh-tw'),
          appearance: 'interaction-only',
          callback: setToken,
          'expired-callback': () => setToken(''),
          'error-callback': () => setHasFailed(true),
        })
      })
      .catch(() => setHasFailed(true))
    return () => {
      isGone = true
      if (id !== undefined) (globalThis as WithTurnstile).turnstile?.remove(id)
    }
  }, [action, siteKey])
  return (
    <>
      <Box ref={container} sx={{ '&:empty': { display: 'none' } }} />
      {hasFailed && (
        <Alert severity="error" variant="outlined" role="alert">
          {t('faults.turnstile.unavailable')}
        </Alert>
      )}
    </>
  )
}
