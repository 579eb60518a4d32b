import Box from '@mui/material/Box'
import type { ReactNode } from 'react'
import { api, errorText } from '../../api/index.ts'
import { useOptionalT } from '../../locales/use-t.ts'
import { SchemaFields } from '../../ui/form/schema-fields.tsx'
import { UnsavedGuard } from '../../ui/form/unsaved.tsx'
import { useSchemaForm } from '../../ui/form/use-schema-form.ts'
import {
  EmptyState,
  type FieldOverride,
  notify,
  type Section,
  useAction,
  useAddress,
  useAddressText,
  useT,
} from '../../ui/index.ts'
import { NotDefault, SwitchNote } from './field-notes.tsx'
import { useSettingFields } from './fields.tsx'
import { SettingsIndex, SettingsNavigation } from './navigation.tsx'
import { Rates } from './rates/rates.tsx'
import { SaveBar } from './save-bar.tsx'
import { searchSections, sectionsOf, type TabId, tabIds, tabOf } from './tabs.ts'
import { TestTaskStorage } from './test-buttons.tsx'
import {
  AllSettings,
  changesOf,
  type FieldKey,
  isDefault,
  type SettingChange,
  type SettingValues,
  sectionKeys,
} from './values.ts'

/** All settings as one form; changes are listed and saved together, and errors are shown at their fields. */
export const SettingsForm = ({ stored }: { stored: SettingValues }) => {
  const t = useT()
  const fields = useSettingFields(stored)
  const update = useAction(['settings', 'status', 'groups', 'prices'], api.settings.update)
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
  /** Resolves with the first setting that was refused. */
  const save = async (values: SettingValues) => {
    const refused: FieldKey[] = []
    for (const change of changesOf(stored, values))
      if (!(await saveOne(change))) refused.push(change.key)
    if (refused.length > 0) notify.error(t('settings.refused', { count: refused.length }))
    else notify.success(t('settings.saved'))
    return refused[0]
  }
  const { isSubmitting } = control
  const { shown, showField, ...navigation } = useShownSections()
  const sections: Section[] = shown.map(({ id, keys }) => ({
    id,
    fields: keys,
    folded: false,
    summary: values => <Summary {...{ keys, changes, values }} />,
    footer: footers[id],
  }))
  const onSubmit = control.form.handleSubmit(
    async values => showField(await save(values as SettingValues)),
    errors => showField(Object.keys(errors)[0]),
  )
  return (
    <Box component="form" noValidate onSubmit={event => void onSubmit(event)}>
      <SettingsNavigation {...navigation} />
      <Box sx={{ display: { md: 'grid' }, gridTemplateColumns: '200px minmax(0, 760px)', gap: 3 }}>
        <SettingsIndex sections={shown.map(({ id }) => id)} />
        <Box sx={{ minWidth: 0 }}>
          {shown.length === 0 && <EmptyState title={t('common.noMatch')} />}
          <SchemaFields
            heading="h2"
            resource="settings"
            sections={sections}
            fieldOverrides={{
              ...withNotes(withMarks(fields, stored), (name, value) =>
                control.form.setValue(name, value, { shouldDirty: true }),
              ),
              ...hiddenExcept(shown.flatMap(({ keys }) => keys)),
            }}
            control={control}
          />
        </Box>
      </Box>
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

const footers: Readonly<Record<string, ReactNode>> = {
  taskStorage: <TestTaskStorage />,
  payment: <Rates />,
}

type SummaryProps = {
  keys: readonly FieldKey[]
  changes: readonly SettingChange[]
  values: Record<string, unknown>
}

/** The number of unsaved changes in a section, and of settings that are not as they were delivered. */
const Summary = ({ keys, changes, values }: SummaryProps) => {
  const t = useT()
  const changed = changes.filter(({ key }) => keys.includes(key)).length
  const set = keys.filter(key => !isDefault(key, values as SettingValues)).length
  const texts = [
    changed > 0 && t('settings.changed', { count: changed }),
    set > 0 && t('settings.set', { count: set }),
  ]
  return <>{texts.filter(Boolean).join(' · ')}</>
}

const withMarks = (
  fields: Record<string, FieldOverride>,
  stored: SettingValues,
): Record<string, FieldOverride> =>
  Object.fromEntries(
    sectionKeys
      .flatMap(({ keys }) => keys)
      .map(key => [
        key,
        { ...fields[key], ...(!isDefault(key, stored) && { mark: <NotDefault name={key} /> }) },
      ]),
  )

const withNotes = (
  fields: Record<string, FieldOverride>,
  set: (name: FieldKey, value: string) => void,
): Record<string, FieldOverride> =>
  Object.fromEntries(
    Object.entries(fields).map(([key, field]) => [
      key,
      {
        ...field,
        note: values => (
          <SwitchNote name={key as FieldKey} values={values as SettingValues} set={set} />
        ),
      },
    ]),
  )

/** The sections of the selected tab, or those that match the search. */
const useShownSections = () => {
  const t = useT()
  const optionalT = useOptionalT()
  const [params, change] = useAddress()
  const [search, setSearch] = useAddressText('search')
  const requested = params.get('tab')
  const tab = tabIds.find(each => each === requested) ?? 'operation'
  // It ends the search.
  const setTab = (next: TabId) => change({ tab: next }, { clear: true, replace: true })
  const textsOf = (key: FieldKey) =>
    `${t(`settings.fields.${key}`)} ${optionalT(`settings.help.${key}`) ?? ''}`
  const isSearching = search.trim() !== ''
  return {
    shown: isSearching ? searchSections(search, textsOf) : sectionsOf(tab),
    tab: isSearching ? undefined : tab,
    setTab,
    search,
    setSearch,
    /** Opens the tab of a field with an error. */
    showField: (key: string | undefined) => {
      const next = key === undefined ? undefined : tabOf(key)
      if (next) setTab(next)
    },
  }
}

const hiddenExcept = (shown: readonly FieldKey[]): Record<string, FieldOverride> =>
  Object.fromEntries(
    sectionKeys
      .flatMap(({ keys }) => keys)
      .filter(key => !shown.includes(key))
      .map(key => [key, { hidden: true }]),
  )
