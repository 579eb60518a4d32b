import type { Token } from '@hub/contract'
import { api, useSite } from '../../api/index.ts'
import { serverAddress } from '../../domain/server-address.ts'
import { Copyable, CopyButton, crudPage, useAction, useT } from '../../ui/index.ts'
import { ChatMenu } from './chat-menu.tsx'
import { UseInClient } from './clients/use-in-client.tsx'
import { columns, detailColumns } from './columns.tsx'
import { CreatedDialog } from './created-dialog.tsx'
import { tokenForm } from './forms.tsx'

const Intro = () => {
  const t = useT()
  const site = useSite()
  return (
    <>
      {t('tokens.intro')}{' '}
      <Copyable text={`${serverAddress(site.server_address)}/v1`} what={t('tokens.baseUrl')} />
    </>
  )
}

const CopyKeyButton = ({ token: { id, name } }: { token: Token }) => {
  const t = useT()
  const reveal = useAction([], api.tokens.reveal)
  return (
    <CopyButton
      label={t('tokens.copyKeyOf', { name })}
      what={t('tokens.fields.key')}
      text={() => reveal({ id }).then(reply => reply?.key)}
    />
  )
}

export const TokensPage = crudPage(api.tokens, {
  columns,
  details: detailColumns,
  intro: <Intro />,
  card: ['status', 'used_quota', 'expired_time'],
  form: tokenForm,
  createdDialog: (token, _, onClose) => <CreatedDialog token={token} onClose={onClose} />,
  rowButtons: token => (
    <>
      {token.revealable && <CopyKeyButton token={token} />}
      <UseInClient token={token} />
      <ChatMenu token={token} />
    </>
  ),
})
