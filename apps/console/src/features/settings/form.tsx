import Box from '@mui/material/Box'
import { api, errorText } from '../../api/index.ts'
import { SchemaFields } from '../../ui/form/schema-fields.tsx'
import { UnsavedGuard } from '../../ui/form/unsaved.tsx'
import { useSchemaForm } from '../../ui/form/use-schema-form.ts'
import { notify, type Section, useAction, useT } from '../../ui/index.ts'
import { useSettingFields } from './fields.tsx'
import { SaveBar } from './save-bar.tsx'
import {
  AllSettings,
  changesOf,
  type SettingChange,
  type SettingValues,
  sectionKeys,
} from './values.ts'

/** All settings as one form; changes are listed and saved together, and errors are shown at their fields. */
export const SettingsForm = ({ stored }: { stored: SettingValues }) => {
  const t = useT()
  const fields = useSettingFields(stored)
  const update = useAction(['settings', 'status'], api.settings.update)
  const sections: Section[] = sectionKeys.map(({ id, keys }, index) => ({
    id,
    fields: keys,
    folded: index > 0,
    summary: values => {
      const count = changesOf(stored, values as SettingValues).filter(({ key }) =>
        keys.includes(key),
      ).length
      return count > 0 ? t('settings.changed', { count }) : ''
    },
  }))
  const control = useSchemaForm({
    resource: 'settings',
    schema: AllSettings,
    initialValues: stored,
    submit: async () => undefined,
  })
  const changes = changesOf(stored, control.form.watch() as SettingValues)

  /** One call per setting, so that accepted settings are saved and a refused one shows its error. */
  const saveOne = async ({ key, after }: SettingChange): Promise<boolean> => {
    try {
      await update.attempt({ key, value: after })
      return true
    } catch (error) {
      control.form.setError(key, { message: errorText(t, error).text })
      return false
    }
  }
  const save = async (values: SettingValues) => {
    const results: boolean[] = []
    for (const change of changesOf(stored, values)) results.push(await saveOne(change))
    const refused = results.filter(saved => !saved).length
    if (refused > 0) notify.error(t('settings.refused', { count: refused }))
    else notify.success(t('settings.saved'))
  }
  const { isSubmitting } = control
  const onSubmit = control.form.handleSubmit(values => save(values as SettingValues))
  return (
    <Box component="form" noValidate onSubmit={event => void onSubmit(event)}>
      <SchemaFields
        heading="h2"
        resource="settings"
        sections={sections}
        fieldOverrides={fields}
        control={control}
      />
      <UnsavedGuard when={changes.length > 0 && !isSubmitting} />
      {changes.length > 0 && (
        <SaveBar
          changes={changes}
          isSaving={isSubmitting}
          discard={() => control.form.reset(stored)}
        />
      )}
    </Box>
  )
}
