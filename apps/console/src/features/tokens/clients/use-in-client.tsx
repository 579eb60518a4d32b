import ClientIcon from 'virtual:icons/terminal'
import type { Token } from '@hub/contract'
import Button from '@mui/material/Button'
import IconButton from '@mui/material/IconButton'
import Tooltip from '@mui/material/Tooltip'
import { lazy, Suspense } from 'react'
import { loadTexts } from '../../../locales/language.ts'
import { useDialog, useT } from '../../../ui/index.ts'

const ClientsDialog = lazy(async () => {
  const [{ ClientsDialog }] = await Promise.all([
    import('./dialog.tsx'),
    loadTexts('calls', 'clients'),
  ])
  return { default: ClientsDialog }
})

/** Opens the settings of clients for a token; with `fullKey` as a button with a text. */
export const UseInClient = ({ token, fullKey }: { token: Token; fullKey?: string }) => {
  const t = useT()
  const { id: openId, open, close } = useDialog(fullKey ? 'new-key' : 'client')
  const isOpen = openId === String(token.id)
  const label = t('tokens.useInClientOf', { name: token.name })
  return (
    <>
      {fullKey ? (
        <Button color="inherit" variant="outlined" onClick={() => open(token.id)}>
          {t('tokens.useInClient')}
        </Button>
      ) : (
        <Tooltip title={label}>
          <IconButton
            size="small"
            aria-label={label}
            onClick={event => {
              event.stopPropagation()
              open(token.id)
            }}
          >
            <ClientIcon sx={{ fontSize: 18 }} />
          </IconButton>
        </Tooltip>
      )}
      {isOpen && (
        <Suspense>
          <ClientsDialog token={token} fullKey={fullKey} onClose={close} />
        </Suspense>
      )}
    </>
  )
}
