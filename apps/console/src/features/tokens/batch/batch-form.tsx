import { NewToken } from '@hub/contract'
import { FormDialog, useT } from '../../../ui/index.ts'
import { tokenForm } from '../forms.tsx'

const schemas = {
  expiry: NewToken.pick({ expired_time: true }),
  group: NewToken.pick({ group: true }),
  limit: NewToken.pick({ unlimited_quota: true, remain_quota: true }),
}

/** The changes that need values first. */
export type BatchFormKind = keyof typeof schemas

type Props = {
  form: BatchFormKind
  count: number
  submit: (values: object) => Promise<void>
  onClose: () => void
}

/** The form for one kind of change, with the fields of the form of a single token. */
export const BatchForm = ({ form, count, submit, onClose }: Props) => {
  const t = useT()
  const { fieldOverrides } = tokenForm.useOptions()
  return (
    <FormDialog
      resource="tokens"
      open
      onClose={onClose}
      title={t(`tokens.batch.${form}Title`, { value: count })}
      submitLabel={t('common.save')}
      schema={schemas[form]}
      fieldOverrides={fieldOverrides}
      submit={submit}
    />
  )
}
