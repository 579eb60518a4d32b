import { NewOwner, OwnerPatch } from '@hub/contract'
import { api } from '../../api/index.ts'
import { crudPage } from '../../ui/index.ts'
import { columns, isBuiltIn } from './columns.tsx'
import { IconField } from './icon-field.tsx'

export const OwnersPage = crudPage(api.owners, {
  columns,
  card: ['id', 'icon', 'kind'],
  form: {
    create: NewOwner,
    edit: OwnerPatch,
    initialValues: { id: 1000 },
    fieldOverrides: {
      icon: {
        render: ({ id, value, set, error }) => (
          <IconField id={id} value={String(value ?? '')} set={set} invalid={Boolean(error)} />
        ),
      },
    },
  },
  remove: { disabledKey: owner => (isBuiltIn(owner) ? 'owners.builtInHint' : undefined) },
})
