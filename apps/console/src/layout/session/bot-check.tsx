import { lazy, type ReactNode, Suspense, useRef, useState } from 'react'
import { useSite } from '../../api'
import { apiError } from '../../api/error.ts'

const TurnstileWidget = lazy(async () => ({
  default: (await import('./turnstile-widget.tsx')).TurnstileWidget,
}))

export type BotCheck = {
  widget: ReactNode
  /** The token for one request. Throws `turnstile.missing` while the check runs. */
  take: () => { turnstile?: string }
}

/** The bot check of one form, if the site has one. Its script is loaded only then. */
export const useBotCheck = (action: 'login' | 'register' | 'reset' | 'verification'): BotCheck => {
  const { turnstile_check, turnstile_site_key } = useSite()
  const token = useRef('')
  // Each token is accepted once, so that the widget starts again for the next request.
  const [round, setRound] = useState(0)
  if (!turnstile_check) return { widget: null, take: () => ({}) }
  const take = () => {
    const turnstile = token.current
    if (!turnstile) throw apiError(400, { code: 'turnstile.missing' })
    token.current = ''
    setRound(round + 1)
    return { turnstile }
  }
  const setToken = (value: string) => {
    token.current = value
  }
  const props = { action, siteKey: turnstile_site_key, setToken }
  return { widget: <Suspense>{<TurnstileWidget key={round} {...props} />}</Suspense>, take }
}
