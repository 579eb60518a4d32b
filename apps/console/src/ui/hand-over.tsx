import type { Token } from '@hub/contract'
import { buildChatLink, type ChatLink, isSafeLink, siteOf } from '../api/chat-links.ts'
import { api, useAction } from '../api/index.ts'
import { serverAddress } from '../api/server-address.ts'
import { ConfirmDialog } from './feedback/confirm.tsx'
import { useSite } from './site.ts'
import { useT } from './use-t.ts'

type Props = { token: Pick<Token, 'id' | 'name'>; link: ChatLink; onClose: () => void }

/** Hands the key to a chat client: only after a sentence that names who gets it. */
export const HandOver = ({ token, link, onClose }: Props) => {
  const t = useT()
  const site = useSite()
  const reveal = useAction([], api.tokens.reveal)
  const open = async () => {
    const revealed = await reveal({ id: token.id })
    if (!revealed) return
    const server = serverAddress(site.server_address)
    const address = buildChatLink(link.url, { key: revealed.key, server })
    if (isSafeLink(address)) visit(address)
  }
  return (
    <ConfirmDialog
      open
      danger={false}
      title={t('tokens.handOver.title', { name: link.name })}
      text={t('tokens.handOver.text', { name: token.name, site: siteOf(link.url) })}
      verb={t('tokens.handOver.verb')}
      onConfirm={open}
      onClose={onClose}
    />
  )
}

/** Applications are called from this page; sites open beside it and cannot reach back. */
const visit = (address: string) =>
  /^https?:/i.test(address)
    ? window.open(address, '_blank', 'noopener,noreferrer')
    : window.location.assign(address)
