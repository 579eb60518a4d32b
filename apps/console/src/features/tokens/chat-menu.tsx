import ChatIcon from 'virtual:icons/chat-bubble-outline'
import type { Token } from '@hub/contract'
import IconButton from '@mui/material/IconButton'
import Menu from '@mui/material/Menu'
import MenuItem from '@mui/material/MenuItem'
import Tooltip from '@mui/material/Tooltip'
import { useState } from 'react'
import { useSite } from '../../api/index.ts'
import { type ChatLink, chatLinks } from '../../domain/chat-links.ts'
import { ExternalLinkConfirm } from '../../domain/index.ts'
import { useT } from '../../ui/index.ts'

/** Opens a chat client of the site with this token. */
export const ChatMenu = ({ token }: { token: Token }) => {
  const t = useT()
  const site = useSite()
  const [anchor, setAnchor] = useState<HTMLElement | null>(null)
  const [link, setLink] = useState<ChatLink>()
  const label = t('tokens.chat', { name: token.name })

  return (
    <>
      <Tooltip title={label}>
        <IconButton
          size="small"
          aria-label={label}
          aria-haspopup="menu"
          aria-expanded={anchor !== null}
          onClick={event => {
            event.stopPropagation()
            setAnchor(event.currentTarget)
          }}
        >
          <ChatIcon sx={{ fontSize: 18 }} />
        </IconButton>
      </Tooltip>
      <Menu
        open={anchor !== null}
        anchorEl={anchor}
        onClose={() => setAnchor(null)}
        onClick={event => event.stopPropagation()}
      >
        {chatLinks(site).map(each => (
          <MenuItem
            key={`${each.name} ${each.url}`}
            onClick={() => {
              setLink(each)
              setAnchor(null)
            }}
          >
            {each.name}
          </MenuItem>
        ))}
      </Menu>
      {link && <ExternalLinkConfirm token={token} link={link} onClose={() => setLink(undefined)} />}
    </>
  )
}
