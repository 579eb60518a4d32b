import HistoryIcon from 'virtual:icons/history'
import PreviewIcon from 'virtual:icons/play-arrow'
import {
  NewVirtualModel,
  type VirtualCandidate,
  type VirtualModel,
  VirtualModelPatch,
} from '@hub/contract'
import IconButton from '@mui/material/IconButton'
import { useQuery } from '@tanstack/react-query'
import { api, query } from '../../api/index.ts'
import { crudPage, useDialog, useT } from '../../ui/index.ts'
import { blankCandidate, CandidatesField } from './candidates-field.tsx'
import { columns } from './columns.tsx'
import { HistoryDialog } from './history-dialog.tsx'
import { PreviewDialog } from './preview-dialog.tsx'

const useFormOptions = () => {
  const { data: groups = ['default'] } = useQuery(query(api.groups.symbols))
  return {
    fieldOverrides: {
      groups: { as: 'tags' as const, options: groups.map(each => ({ value: each, label: each })) },
      candidates: {
        render: ({
          id,
          value,
          set,
        }: {
          id: string
          value: unknown
          set: (next: unknown) => void
        }) => (
          <CandidatesField
            {...{ id, set, groups }}
            value={(value ?? []) as readonly VirtualCandidate[]}
          />
        ),
      },
    },
  }
}

const RowButtons = ({ row }: { row: VirtualModel }) => {
  const t = useT()
  const preview = useDialog('preview')
  const history = useDialog('history')
  const { id, name } = row
  return (
    <>
      <IconButton
        aria-label={t('virtual-models.preview.title', { name })}
        title={t('virtual-models.preview.open')}
        onClick={() => preview.open(id)}
      >
        <PreviewIcon fontSize="small" />
      </IconButton>
      <IconButton
        aria-label={t('virtual-models.history.title', { name })}
        title={t('virtual-models.history.open')}
        onClick={() => history.open(id)}
      >
        <HistoryIcon fontSize="small" />
      </IconButton>
      {preview.id === String(id) && <PreviewDialog model={row} close={preview.close} />}
      {history.id === String(id) && <HistoryDialog model={row} close={history.close} />}
    </>
  )
}

export const VirtualModelsPage = crudPage(api['virtual-models'], {
  columns,
  order: 'name',
  card: ['candidates', 'groups', 'version', 'enable'],
  alsoChanges: ['models'],
  rowButtons: row => <RowButtons row={row} />,
  form: {
    create: NewVirtualModel,
    edit: VirtualModelPatch,
    initialValues: { candidates: [blankCandidate] },
    useOptions: useFormOptions,
  },
})
