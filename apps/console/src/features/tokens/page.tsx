import type { Token } from '@hub/contract'
import { lazy, Suspense } from 'react'
import { api, useSite } from '../../api/index.ts'
import { serverAddress } from '../../domain/server-address.ts'
import { Copyable, CopyButton, crudPage, useAction, useT } from '../../ui/index.ts'
import { ChatMenu } from './chat-menu.tsx'
import { UseInClient } from './clients/use-in-client.tsx'
import { columns, detailColumns } from './columns.tsx'
import { CreatedDialog } from './created-dialog.tsx'
import { tokensForm } from './forms.tsx'

const BatchActions = lazy(async () => ({
  default: (await import('./batch/batch-actions.tsx')).BatchActions,
}))
const CreatedKeysDialog = lazy(async () => ({
  default: (await import('./batch/created-keys-dialog.tsx')).CreatedKeysDialog,
}))

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
      text={() => reveal({ id }).then(response => response?.key)}
    />
  )
}

/** One request creates all tokens of the form. */
const calls = { ...api.tokens, create: api.tokens.createMany }

export const TokensPage = crudPage(calls, {
  columns,
  details: detailColumns,
  intro: <Intro />,
  card: ['status', 'used_quota', 'expired_time'],
  form: tokensForm,
  createdDialog: (tokens, { name }, onClose) => {
    const [token] = tokens
    return tokens.length === 1 && token ? (
      <CreatedDialog token={token} onClose={onClose} />
    ) : (
      <Suspense>
        <CreatedKeysDialog {...{ name, tokens, onClose }} />
      </Suspense>
    )
  },
  bulkActions: (ids, clear) => (
    <Suspense>
      <BatchActions ids={ids} clear={clear} />
    </Suspense>
  ),
  rowButtons: token => (
    <>
      {token.revealable && <CopyKeyButton token={token} />}
      <UseInClient token={token} />
      <ChatMenu token={token} />
    </>
  ),
})
