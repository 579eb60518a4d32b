import type { Identity } from '@hub/contract'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Stack from '@mui/material/Stack'
import Typography from '@mui/material/Typography'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api, query } from '../../../api'
import { ProofForm } from '../../../domain/sign-in/proof-form.tsx'
import { Card, useAction, useT } from '../../../ui'

/** The accounts at third parties by which the user signs in. Absent on a site without third parties. */
export const Identities = () => {
  const t = useT()
  const [open, setOpen] = useState('')
  const { data = [] } = useQuery(query(api.oauth.identities))
  if (data.length === 0) return null
  return (
    <Card title={t('oauth.identities')} intro={t('oauth.identitiesText')}>
      <Box component="ul" sx={{ m: 0, p: 0, listStyle: 'none' }}>
        {data.map(each => (
          <Row
            key={each.type}
            identity={each}
            isOpen={open === each.type}
            toggle={() => setOpen(open === each.type ? '' : each.type)}
          />
        ))}
      </Box>
    </Card>
  )
}

type RowProps = { identity: Identity; isOpen: boolean; toggle: () => void }

const Row = ({ identity, isOpen, toggle }: RowProps) => {
  const t = useT()
  const { type, name, label, bound } = identity
  const shown = type === 'lark' ? t('oauth.lark') : name
  return (
    <Box component="li" sx={{ py: 1.5, borderBottom: '1px solid', borderColor: 'divider' }}>
      <Stack direction="row" spacing={1} sx={{ alignItems: 'center' }}>
        <Box sx={{ flex: 1, minWidth: 0 }}>
          <Typography noWrap sx={{ fontWeight: 600 }}>
            {shown}
          </Typography>
          <Typography variant="body2" noWrap sx={{ color: 'text.secondary' }}>
            {bound ? t('oauth.boundTo', { label }) : t('oauth.notBound')}
          </Typography>
        </Box>
        <Button
          size="small"
          color="inherit"
          variant="outlined"
          aria-expanded={isOpen}
          aria-label={t(bound ? 'oauth.unbindNamed' : 'oauth.bindNamed', { name: shown })}
          onClick={toggle}
        >
          {t(isOpen ? 'common.cancel' : bound ? 'oauth.unbind' : 'oauth.bind')}
        </Button>
      </Stack>
      {isOpen && (
        <Box sx={{ mt: 2 }}>
          {bound ? <UnbindForm type={type} close={toggle} /> : <BindForm type={type} />}
        </Box>
      )}
    </Box>
  )
}

const BindForm = ({ type }: { type: string }) => {
  const t = useT()
  const bind = useAction('oauth', (proof: object) => api.oauth.bind({ ...proof, type }), {
    onSuccess: url => location.assign(url),
  })
  return <ProofForm endpoint={api.oauth.bind} submit={bind} submitLabel={t('oauth.bind')} />
}

const UnbindForm = ({ type, close }: { type: string; close: () => void }) => {
  const t = useT()
  const unbind = useAction(
    ['oauth', 'profile'],
    (proof: object) => api.oauth.unbind({ ...proof, type }),
    { successKey: 'oauth.unbound', onSuccess: close },
  )
  return (
    <>
      <Typography variant="body2" sx={{ mb: 2 }}>
        {t('oauth.unbindText')}
      </Typography>
      <ProofForm endpoint={api.oauth.unbind} submit={unbind} submitLabel={t('oauth.unbind')} />
    </>
  )
}
