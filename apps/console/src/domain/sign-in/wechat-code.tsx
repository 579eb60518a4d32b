import Box from '@mui/material/Box'
import Typography from '@mui/material/Typography'
import { useRef } from 'react'
import { api, isApiError, useSite } from '../../api'
import { useT } from '../../ui'

/** The QR code of the official account, and how to get a code from it. */
export const WeChatGuide = () => {
  const t = useT()
  const { wechat_qrcode } = useSite()
  return (
    <Box>
      {wechat_qrcode && (
        <Box
          component="img"
          src={wechat_qrcode}
          alt={t('wechat.qrCode')}
          sx={{ display: 'block', width: 200, maxWidth: '100%', mx: 'auto', mb: 2 }}
        />
      )}
      <Typography variant="body2" sx={{ color: 'text.secondary' }}>
        {t('wechat.text')}
      </Typography>
    </Box>
  )
}

/** Sends codes with a state, which is used for a few codes and made anew when it has expired. */
export const useWeChatState = () => {
  const state = useRef('')
  const begin = async () => {
    state.current = (await api.oauth.beginWeChat({})).state
    return state.current
  }
  return async <R,>(send: (state: string) => Promise<R>): Promise<R> => {
    const isFresh = state.current === ''
    try {
      return await send(state.current || (await begin()))
    } catch (error) {
      const isExpired = isApiError(error) && error.code === 'oauth.state'
      if (!isExpired || isFresh) throw error
      return send(await begin())
    }
  }
}
