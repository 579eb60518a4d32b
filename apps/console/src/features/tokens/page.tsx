import type { Token } from '@hub/contract'
import { useState } from 'react'
import { api } from '../../api/index.ts'
import { serverAddress } from '../../domain/server-address.ts'
import { Copyable, DataTable, Page, useT } from '../../ui/index.ts'
import { useSite } from '../../api/index.ts'
import { columns } from './columns.tsx'
import { CreateToken, EditToken } from './forms.tsx'
import { MadeDialog } from './created-dialog.tsx'
import { TokenRecord } from './record.tsx'
import { RowActions } from './actions.tsx'

export const TokensPage = () => {
  const t = useT()
  const site = useSite()
  const [editing, setEditing] = useState<Token>()
  const [made, setMade] = useState<Token>()
  const create = <CreateToken onMade={setMade} />
  const intro = (
    <>
      {t('tokens.intro')}{' '}
      <Copyable text={`${serverAddress(site.server_address)}/v1`} what={t('tokens.baseUrl')} />
    </>
  )
  return (
    <Page title={t('tokens.title')} intro={intro} primaryAction={create}>
      <DataTable
        resource="tokens"
        list={api.tokens.list}
        columns={columns}
        filters={[{ key: 'keyword', kind: 'text', labelKey: 'tokens.fields.keyword' }]}
        card={{ title: row => row.name, fields: ['status', 'used_quota', 'expired_time'] }}
        drawer={row => <TokenRecord token={row} />}
        drawerTitle={row => row.name}
        rowActions={row => <RowActions token={row} edit={() => setEditing(row)} />}
        empty={{ action: create }}
      />
      {made && <MadeDialog token={made} onClose={() => setMade(undefined)} />}
      {editing && <EditToken token={editing} onClose={() => setEditing(undefined)} />}
    </Page>
  )
}
