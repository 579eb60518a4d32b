import { useSite, useUser } from '../../../api'
import { Telegram } from './telegram.tsx'
import { WeChat } from './wechat.tsx'

/** The accounts at messengers: those that the site offers, and those that are bound. */
export const Bindings = () => {
  const user = useUser()
  const site = useSite()
  return (
    <>
      {(site.wechat_login || user.wechat_id) && <WeChat />}
      {(site.telegram_bot || user.telegram_id !== 0) && <Telegram />}
    </>
  )
}
