import type { Token } from '@hub/contract'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import { useState } from 'react'
import { Link } from 'react-router'
import { useSite } from '../../api'
import { ExternalLinkConfirm } from '../../domain'
import { type ChatLink, chatLinks } from '../../domain/chat-links.ts'
import { Card, EmptyState, useT } from '../../ui'
import { CopyExample, ExampleBody, useExample } from './example.tsx'

/** An example call, and the chat clients that can be opened with the same token. */
export const QuickStart = () => {
  const t = useT()
  const example = useExample()
  if (!example.isLoading && !example.token)
    return (
      <Card title={t('dashboard.quickStart')}>
        <EmptyState
          title={t('dashboard.noToken')}
          text={t('dashboard.noTokenText')}
          action={
            <Button component={Link} to="/panel/token" variant="contained">
              {t('dashboard.createToken')}
            </Button>
          }
        />
      </Card>
    )
  return (
    <Card
      title={t('dashboard.quickStart')}
      intro={t('dashboard.quickStartText')}
      actions={<CopyExample example={example} />}
    >
      <ExampleBody example={example} />
      {example.token && <Clients token={example.token} />}
    </Card>
  )
}

/** The chat clients that the site shows first; all others are in the token menu. */
const Clients = ({ token }: { token: Token }) => {
  const t = useT()
  const links = chatLinks(useSite()).filter(each => each.show)
  const [link, setLink] = useState<ChatLink>()
  if (links.length === 0) return null
  return (
    <Box sx={{ mt: 2, pt: 2, borderTop: '1px solid', borderColor: 'divider' }}>
      <Box component="h3" sx={{ m: 0, mb: 1, fontSize: 13, fontWeight: 500 }}>
        {t('dashboard.clients')}
      </Box>
      <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 1 }}>
        {links.map(each => (
          <Button
            key={`${each.name} ${each.url}`}
            variant="outlined"
            color="inherit"
            size="small"
            aria-haspopup="dialog"
            sx={{ borderColor: 'divider' }}
            onClick={() => setLink(each)}
          >
            {each.name}
          </Button>
        ))}
      </Box>
      {link && <ExternalLinkConfirm token={token} link={link} onClose={() => setLink(undefined)} />}
    </Box>
  )
}
