import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import type { z } from 'zod'
import { useT } from '../../locales/use-t.ts'
import { SchemaFields } from './schema-fields.tsx'
import type { SchemaFormProps } from './types.ts'
import { UnsavedGuard } from './unsaved.tsx'
import { useSchemaForm } from './use-schema-form.ts'

/** A form drawn from a schema, inside a page. Mount it only after its initial values are loaded. */
export const SchemaForm = <S extends z.ZodObject>(props: SchemaFormProps<S>) => {
  const t = useT()
  const control = useSchemaForm(props)
  return (
    <Box component="form" noValidate onSubmit={control.send} sx={{ maxWidth: 640 }}>
      <SchemaFields {...props} control={control} />
      <Button
        type="submit"
        variant="contained"
        loading={control.isSubmitting}
        disabled={control.shapes.length > 0 && !control.isDirty}
        sx={{ mt: 3 }}
      >
        {props.submitLabel ?? t('common.save')}
      </Button>
      <UnsavedGuard when={control.isDirty && !control.isSubmitting} />
    </Box>
  )
}
