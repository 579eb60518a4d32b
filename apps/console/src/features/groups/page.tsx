import { type Group, GroupPatch, limitNames, lowRatio, NewGroup, pickLimits } from '@hub/contract'
import { api } from '../../api/index.ts'
import { useRightRefusal } from '../../api/site.ts'
import { nullEmptyLimits, useLimitOverrides, useLimitsText } from '../../domain/index.ts'
import { crudPage, useT } from '../../ui/index.ts'
import { columns, promotionText } from './columns.tsx'

const promotes = (values: Record<string, unknown>) => values.promotion === true

const useFormOptions = () => {
  const t = useT()
  const fieldOverrides = useLimitOverrides('ofGroup')
  const refusal = useRightRefusal('low_ratios')
  const limitsText = useLimitsText()
  const summary = (values: Record<string, unknown>) => limitsText(pickLimits(values as Group))
  return {
    fieldOverrides: {
      ...fieldOverrides,
      ratio: { note: ({ ratio }: Record<string, unknown>) => Number(ratio) < lowRatio && refusal },
      min: { showWhen: promotes },
      max: { showWhen: promotes },
    },
    sections: [
      { id: 'rates', fields: limitNames, folded: true, summary },
      {
        id: 'promotion',
        fields: ['promotion', 'min', 'max'],
        folded: true,
        summary: (values: Record<string, unknown>) => promotionText(t, values as Group),
      },
    ],
    transform: nullEmptyLimits,
  }
}

export const GroupsPage = crudPage(api.groups, {
  columns,
  card: ['ratio', 'api_rate', 'enable'],
  filters: t => [
    {
      key: 'enable',
      kind: 'select',
      options: [
        { value: 'true', label: t('common.enabled') },
        { value: 'false', label: t('common.disabled') },
      ],
    },
  ],
  form: { create: NewGroup, edit: GroupPatch, useOptions: useFormOptions },
  remove: {
    disabledKey: group => (group.symbol === 'default' ? 'groups.builtIn' : undefined),
    errorKeys: { 'resource.in_use': 'groups.inUse' },
  },
})
