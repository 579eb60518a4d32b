import { NewRedemptions, type Redemption, RedemptionPatch } from '@hub/contract'
import { api } from '../../api/index.ts'
import { PointsInput } from '../../domain/index.ts'
import { CopyButton, CreatedLinesDialog, crudPage, useT } from '../../ui/index.ts'
import { columns, csvColumns, rowLabel } from './columns.tsx'

const used: Redemption['status'] = 3

const CopyCode = ({ code: { id, name, key } }: { code: Redemption }) => {
  const t = useT()
  const label = t('redemptions.copyCode', { name, id })
  return <CopyButton text={key} what={t('redemptions.fields.key')} label={label} />
}

export const RedemptionsPage = crudPage(api.redemptions, {
  columns,
  rowLabel,
  order: '-id',
  card: ['key', 'status', 'quota', 'redeemed_time'],
  details: columns,
  createWhenEmpty: false,
  csvExport: { fileName: 'codes', columns: csvColumns },
  filters: t => {
    const options = [1, 2, 3, 4].map(value => ({ value, label: t(`redemptions.status.${value}`) }))
    return [{ key: 'status', kind: 'select', options }]
  },
  form: {
    create: NewRedemptions,
    edit: RedemptionPatch.omit({ status: true, status_only: true }),
    fieldOverrides: { quota: { control: PointsInput }, expired_time: { as: 'time' } },
  },
  createdDialog: (lines, { name }, onClose) => (
    <CreatedLinesDialog resource="redemptions" {...{ name, lines, onClose }} />
  ),
  rowButtons: code => <CopyCode code={code} />,
  isEditable: code => code.status !== used,
  remove: {
    textKey: code => `redemptions.remove.${code.status === used ? 'used' : 'text'}`,
  },
})
