import CircularProgress from '@mui/material/CircularProgress'
import MuiLink from '@mui/material/Link'
import Stack from '@mui/material/Stack'
import Typography from '@mui/material/Typography'
import { useCallback, useEffect, useRef, useState } from 'react'
import { Link, useLocation, useNavigate, useParams } from 'react-router'
import { api, errorText, isApiError } from '../../api'
import { startSession } from '../../api/session.ts'
import { SecondStepForm } from '../../layout/session/second-step-form.tsx'
import { notify, useT } from '../../ui'
import { Frame } from './frame.tsx'
import { clearInviteCode, rememberInviteCode } from './invite-code.ts'

const retriesMax = 3
const pauseMilliseconds = 2000
const pause = () => new Promise(resolve => setTimeout(resolve, pauseMilliseconds))

type Result = Awaited<ReturnType<(typeof api)['sign-in']['login']>>

/** Calls the server until it is reached. A state works once, so that an answer is never asked for again. */
const redeem = async (
  query: Parameters<(typeof api)['oauth']['callback']>[0],
  showRetry: (count: number) => void,
) => {
  for (let count = 1; ; count += 1)
    try {
      return await api.oauth.callback(query)
    } catch (error) {
      if (count > retriesMax || !isApiError(error) || error.status !== 0) throw error
      showRetry(count)
      await pause()
    }
}

/** The page to which a third party sends the browser back. */
export const CallbackPage = () => {
  const t = useT()
  const navigate = useNavigate()
  const { provider = '' } = useParams()
  const { search } = useLocation()
  const [text, setText] = useState('oauth.working')
  const [retry, setRetry] = useState(0)
  const [token, setToken] = useState('')
  const isStarted = useRef(false)
  const finish = useCallback(
    async (result: Result) => {
      if ('require_2fa' in result) return setToken(result.token)
      clearInviteCode()
      startSession(result)
      notify.success(t('sign-in.done'))
      await navigate('/panel', { replace: true })
    },
    [navigate, t],
  )
  useEffect(() => {
    if (isStarted.current) return
    isStarted.current = true
    const answer = new URLSearchParams(search)
    const [code = '', state = '', iss = ''] = ['code', 'state', 'iss'].map(
      key => answer.get(key) ?? '',
    )
    const giveUp = async (reason: string) => {
      notify.error(reason)
      setRetry(0)
      setText('oauth.failed')
      await pause()
      await navigate('/login', { replace: true })
    }
    const run = async () => {
      // https://www.rfc-editor.org/rfc/rfc6749#section-4.1.2.1
      const denied = answer.get('error')
      if (denied) return await giveUp(t('oauth.denied', { reason: denied.slice(0, 100) }))
      try {
        const query = { provider, code, state, iss, aff: rememberInviteCode('') }
        const { message, data } = await redeem(query, setRetry)
        if (data) return await finish(data)
        if (message === 'bind') notify.success(t('oauth.bound'))
        await navigate('/panel', { replace: true })
      } catch (error) {
        await giveUp(errorText(t, error).text)
      }
    }
    void run()
  }, [finish, navigate, provider, search, t])
  const title = t('oauth.title')
  const footer = (
    <MuiLink component={Link} to="/login">
      {t('sign-in.reset.back')}
    </MuiLink>
  )
  return (
    <Frame name={title} title={title} footer={footer}>
      {token ? (
        <SecondStepForm
          token={token}
          finish={result => void finish(result)}
          startAgain={() => void navigate('/login', { replace: true })}
        />
      ) : (
        <Stack spacing={2} sx={{ alignItems: 'center', py: 2 }} role="status">
          <CircularProgress aria-label={t('common.loading')} />
          <Typography>{retry > 0 ? t('oauth.retry', { count: retry }) : t(text)}</Typography>
        </Stack>
      )}
    </Frame>
  )
}
