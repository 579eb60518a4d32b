import { useSite, useUser } from '../../../api'
import { Identities } from './identities.tsx'
import { Telegram } from './telegram.tsx'
import { WeChat } from './wechat.tsx'

/** The accounts at third parties and messengers: those that the site offers, and those that are bound. */
export const Bindings = () => {
  const user = useUser()
  const site = useSite()
  return (
    <>
      <Identities />
      {(site.wechat_login || user.wechat_id) && <WeChat />}
      {(site.telegram_bot || user.telegram_id !== 0) && <Telegram />}
    </>
  )
}
