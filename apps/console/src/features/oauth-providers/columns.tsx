import type { OAuthProvider } from '@hub/contract'
import { api } from '../../api/index.ts'
import { Toggle } from '../../ui/feedback/toggle.tsx'
import {
  type Column,
  Copyable,
  MonoText,
  StatusDot,
  Timestamp,
  useAction,
  useT,
} from '../../ui/index.ts'
import { CallbackAddress } from './callback-address.tsx'

const EnableSwitch = ({ provider: { id, name, enabled } }: { provider: OAuthProvider }) => {
  const t = useT()
  const update = useAction(['oauth-providers', 'status'], api['oauth-providers'].update)
  return (
    <Toggle
      checked={enabled}
      label={t('oauth-providers.toggle', { name })}
      onChange={next => update({ id, enabled: next })}
    />
  )
}

const Kind = ({ kind }: Pick<OAuthProvider, 'kind'>) => (
  <>{useT()(`oauth-providers.options.kind.${kind}`)}</>
)

const Secret = ({ isSet }: { isSet: boolean }) => {
  const t = useT()
  return (
    <>
      <StatusDot tone={isSet ? 'green' : 'gray'} />{' '}
      {t(isSet ? 'oauth-providers.secretSet' : 'oauth-providers.secretUnset')}
    </>
  )
}

const enabled: Column<OAuthProvider> = {
  key: 'enabled',
  render: provider => <EnableSwitch provider={provider} />,
}
const kind: Column<OAuthProvider> = { key: 'kind', render: row => <Kind kind={row.kind} /> }
const callback: Column<OAuthProvider> = {
  key: 'callback',
  render: row => <CallbackAddress slug={row.slug} />,
}
const created: Column<OAuthProvider> = {
  key: 'created_time',
  render: row => <Timestamp at={row.created_time} />,
}

export const columns: Column<OAuthProvider>[] = [
  { key: 'name', emphasized: true },
  kind,
  callback,
  { ...created, hidden: true },
  enabled,
]

const text = (
  key: 'client_id' | 'issuer' | 'authorization_endpoint' | 'token_endpoint' | 'userinfo_endpoint',
): Column<OAuthProvider> => ({
  key,
  render: row => (row[key] ? <Copyable text={row[key]} /> : '–'),
})

export const detailColumns: Column<OAuthProvider>[] = [
  callback,
  kind,
  text('client_id'),
  { key: 'client_secret', render: row => <Secret isSet={row.has_client_secret} /> },
  text('issuer'),
  text('authorization_endpoint'),
  text('token_endpoint'),
  text('userinfo_endpoint'),
  { key: 'scopes', render: row => <MonoText text={row.scopes} /> },
  created,
]
