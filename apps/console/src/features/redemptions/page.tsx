import type { Redemption } from '@hub/contract'
import DownloadIcon from '@mui/icons-material/FileDownloadOutlined'
import IconButton from '@mui/material/IconButton'
import Tooltip from '@mui/material/Tooltip'
import dayjs from 'dayjs'
import { useState } from 'react'
import { api } from '../../api/index.ts'
import { useAction } from '../../ui/index.ts'
import { download } from '../../ui/csv.ts'
import { DataTable, type Filter, Page, useT } from '../../ui/index.ts'
import { useListState } from '../../ui/table/state/list-state.ts'
import { columns } from './columns.tsx'
import { allPages, redemptionsCsv } from './export.ts'
import { CreateRedemptions, EditRedemption } from './forms.tsx'
import { RedemptionRecord } from './record.tsx'
import { RowActions } from './row-actions.tsx'

const order = '-id'

export const RedemptionsPage = () => {
  const t = useT()
  const [editing, setEditing] = useState<Redemption>()
  const create = <CreateRedemptions />
  const filters: Filter[] = [
    { key: 'keyword', kind: 'text', labelKey: 'redemptions.fields.keyword' },
    {
      key: 'status',
      kind: 'select',
      options: [1, 2, 3, 4].map(value => ({ value, label: t(`redemptions.status.${value}`) })),
    },
  ]
  return (
    <Page title={t('redemptions.title')} intro={t('redemptions.intro')} primaryAction={create}>
      <DataTable
        resource="redemptions"
        list={api.redemptions.list}
        columns={columns}
        order={order}
        filters={filters}
        toolbar={<Export filterKeys={filters.map(each => each.key)} />}
        card={{ title: row => row.name, fields: ['key', 'status', 'quota', 'redeemed_time'] }}
        drawer={row => <RedemptionRecord code={row} />}
        drawerTitle={row => row.name}
        rowActions={row => <RowActions code={row} edit={() => setEditing(row)} />}
        empty={{}}
      />
      {editing && <EditRedemption code={editing} onClose={() => setEditing(undefined)} />}
    </Page>
  )
}

/** Everything that the filters let through, not only the page on the screen. */
const Export = ({ filterKeys }: { filterKeys: string[] }) => {
  const t = useT()
  const { state } = useListState({ resource: 'redemptions', order, filterKeys })
  const { keyword, status } = state.filters
  const collect = useAction([], () =>
    allPages(page =>
      api.redemptions.list({
        page,
        size: 100,
        order,
        ...(keyword && { keyword }),
        ...(status && { status: Number(status) }),
      }),
    ),
  )
  const save = async () => {
    const codes = await collect(undefined)
    if (codes) download(`codes-${dayjs().format('YYYYMMDD-HHmmss')}.csv`, redemptionsCsv(t, codes))
  }
  return (
    <Tooltip title={t('redemptions.export')}>
      <span>
        <IconButton
          aria-label={t('redemptions.export')}
          loading={collect.isPending}
          onClick={() => void save()}
        >
          <DownloadIcon fontSize="small" />
        </IconButton>
      </span>
    </Tooltip>
  )
}
