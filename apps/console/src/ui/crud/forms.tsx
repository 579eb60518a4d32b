import type { z } from 'zod'
import { useT } from '../../locales/use-t.ts'
import { DialogButton, FormDialog } from '../form/dialog/form-dialog.tsx'
import type { SchemaFormProps } from '../form/types.ts'
import { useAction } from '../use-action.ts'
import type { CrudCalls, CrudRow } from './calls.ts'

type FormOptions = Pick<SchemaFormProps<z.ZodObject>, 'fieldOverrides' | 'sections' | 'transform'>

export type CrudForm = FormOptions & {
  create: z.ZodObject
  edit: z.ZodObject
  /** Values of a new row in addition to the defaults of the schema. */
  initialValues?: Record<string, unknown>
  /** Options of both forms that depend on other data. The hook runs inside each form. */
  useOptions?: () => FormOptions
}

const useNoOptions = (): FormOptions => ({})

type CreateProps = {
  calls: CrudCalls
  form: CrudForm
  alsoChanges?: readonly string[] | undefined
  /** Replaces the toast. */
  onCreated: ((response: unknown, input: unknown) => void) | undefined
  /** Given: the dialog is open from the start, and there is no button to open it. */
  onClose?: () => void
}

export const CreateForm = ({ calls, form, alsoChanges = [], onCreated, onClose }: CreateProps) => {
  const { useOptions = useNoOptions } = form
  const { resource } = calls.list
  const t = useT()
  const { fieldOverrides, sections, transform } = { ...form, ...useOptions() }
  const create = useAction([resource, ...alsoChanges], calls.create, {
    successKey: onCreated ? undefined : `${resource}.created`,
  })
  const title = t(`${resource}.create`)
  const submit = async (input: unknown) => {
    const response = await create.attempt(input)
    onCreated?.(response, input)
  }
  return (
    <FormDialog
      {...{ resource, title, submit, fieldOverrides, sections, transform }}
      submitLabel={title}
      schema={form.create}
      initialValues={form.initialValues}
      {...(onClose ? { open: true, onClose } : { address: 'create' })}
    />
  )
}

/** Opens the form of `CreateForm`, which stands once on the page. */
export const CreateFormButton = ({ resource }: { resource: string }) => {
  const t = useT()
  return <DialogButton address="create">{t(`${resource}.create`)}</DialogButton>
}

type EditProps = {
  calls: CrudCalls
  form: CrudForm
  alsoChanges?: readonly string[] | undefined
  row: CrudRow
  onClose: () => void
}

export const EditForm = ({ calls, form, alsoChanges = [], row, onClose }: EditProps) => {
  const { useOptions = useNoOptions } = form
  const { resource } = calls.list
  const t = useT()
  const { fieldOverrides, sections, transform } = { ...form, ...useOptions() }
  const update = useAction([resource, ...alsoChanges], calls.update, {
    successKey: `${resource}.saved`,
  })
  return (
    <FormDialog
      {...{ resource, onClose, sections, transform }}
      open
      title={t(`${resource}.edit`, { name: row.name })}
      submitLabel={t(`${resource}.save`)}
      schema={form.edit}
      initialValues={row}
      fieldOverrides={{ ...fieldOverrides, id: { hidden: true } }}
      submit={update}
    />
  )
}
