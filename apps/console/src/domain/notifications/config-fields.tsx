import type { NotifierType } from '@hub/contract'
import Stack from '@mui/material/Stack'
import { useOptionalT } from '../../locales/use-t.ts'
import { Control, Field, useT } from '../../ui/index.ts'

type Props = {
  type: NotifierType | undefined
  value: Readonly<Record<string, string>>
  set: (value: Record<string, string>) => void
  /** Secrets that are stored. They are never sent here, and stay if their field is empty. */
  secretsSet: readonly string[]
}

type ConfigField = { secret?: boolean; default?: unknown }

/** The settings of a kind of target, from the schema that the server sends. */
export const ConfigFields = ({ type, value, set, secretsSet }: Props) => {
  const t = useT()
  const optionalT = useOptionalT()
  const fields = Object.entries((type?.config.properties ?? {}) as Record<string, ConfigField>)
  const required = (type?.config.required ?? []) as string[]
  if (fields.length === 0) return <>{t('notifications.ownAddress')}</>
  return (
    <Stack spacing={2.25}>
      {fields.map(([name, field]) => {
        const isSet = secretsSet.includes(name)
        const key = `${type?.type}_${name}`
        return (
          <Field
            key={key}
            label={
              optionalT(`notifications.config.${key}`) ??
              optionalT(`notifications.config.${name}`) ??
              name
            }
            help={
              isSet ? t('notifications.secretSet') : optionalT(`notifications.configHelp.${key}`)
            }
            required={required.includes(name) && !isSet}
          >
            {ids => (
              <Control
                {...ids}
                kind={field.secret ? 'password' : 'text'}
                value={value[name] ?? field.default ?? ''}
                set={next => set({ ...value, [name]: String(next ?? '') })}
                options={[]}
                autoComplete="off"
              />
            )}
          </Field>
        )
      })}
    </Stack>
  )
}
