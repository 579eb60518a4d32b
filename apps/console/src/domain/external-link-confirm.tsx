import type { Token } from '@hub/contract'
import { api } from '../api/index.ts'
import { useSite } from '../api/site.ts'
import { useT } from '../locales/use-t.ts'
import { ConfirmDialog } from '../ui/feedback/confirm.tsx'
import { useAction } from '../ui/index.ts'
import { buildChatLink, type ChatLink, isSafeLink, linkDestination } from './chat-links.ts'
import { serverAddress } from './server-address.ts'

type Props = { token: Pick<Token, 'id' | 'name'>; link: ChatLink; onClose: () => void }

/** Hands the key to a chat client: only after a sentence that names who gets it. */
export const ExternalLinkConfirm = ({ token, link, onClose }: Props) => {
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
      title={t('tokens.externalLink.title', { name: link.name })}
      text={t('tokens.externalLink.text', { name: token.name, site: linkDestination(link.url) })}
      confirmLabel={t('tokens.externalLink.action')}
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
