import type { Token } from '@hub/contract'
import { api } from '../api/index.ts'
import { useSite } from '../api/site.ts'
import { useT } from '../locales/use-t.ts'
import { ConfirmDialog } from '../ui/feedback/confirm.tsx'
import { useAction } from '../ui/index.ts'
import { buildChatLink, type ChatLink, isSafeLink, linkDestination } from './chat-links.ts'
import { serverAddress } from './server-address.ts'

type Props = { token: Pick<Token, 'id' | 'name'>; link: ChatLink; onClose: () => void }

/** Asks before a chat client receives the token's key; the text names the receiver. */
export const ExternalLinkConfirm = ({ token, link, onClose }: Props) => {
  const t = useT()
  const site = useSite()
  const reveal = useAction([], api.tokens.reveal)
  const open = async () => {
    const revealed = await reveal({ id: token.id })
    if (!revealed) return
    const server = serverAddress(site.server_address)
    const address = buildChatLink(link.url, { key: revealed.key, server })
    if (isSafeLink(address)) openLink(address)
  }
  return (
    <ConfirmDialog
      open
      danger={false}
      title={t('tokens.externalLink.title', { name: link.name })}
      text={t('tokens.externalLink.text', { name: token.name, site: linkDestination(link.url) })}
      confirmLabel={t('tokens.externalLink.action')}
      onConfirm={open}
      onClose={onClose}
    />
  )
}

/** Opens an application from this page, and a website in a new tab without access to this page. */
const openLink = (address: string) =>
  /^https?:/i.test(address)
    ? window.open(address, '_blank', 'noopener,noreferrer')
    : window.location.assign(address)
