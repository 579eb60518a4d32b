import { type ModelInfo, ModelInfoPatch, NewModelInfo } from '@hub/contract'
import { api } from '../../api/index.ts'
import { modalityLabel, parseList } from '../../domain/model-info/index.ts'
import { crudPage, type T } from '../../ui/index.ts'
import { columns } from './columns.tsx'
import { useFormFields } from './form-fields.tsx'
import { ListButtons } from './list-buttons.tsx'

const listFields = ['input_modalities', 'output_modalities', 'tags'] as const

/** Modalities are found by their stored name and by the one that is shown. */
const searchText = (row: ModelInfo, t: T): string => {
  const entries = listFields.flatMap(key => parseList(row[key]))
  return [row.model, row.name, ...entries, ...entries.map(each => modalityLabel(t, each))].join(
    '\n',
  )
}

export const ModelInfoPage = crudPage(api['model-info'], {
  columns,
  searchText,
  actions: <ListButtons />,
  card: ['model', 'context_length', 'input_modalities', 'tags'],
  alsoChanges: ['models'],
  form: {
    create: NewModelInfo,
    edit: ModelInfoPatch,
    initialValues: {
      context_length: 128_000,
      max_tokens: 4096,
      input_modalities: '["text"]',
      output_modalities: '["text"]',
    },
    useOptions: useFormFields,
  },
})
