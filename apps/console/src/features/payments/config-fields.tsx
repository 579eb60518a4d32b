import type { GatewayType } from '@hub/contract'
import Stack from '@mui/material/Stack'
import { useOptionalT } from '../../locales/use-t.ts'
import { Control, Field, useT } from '../../ui/index.ts'

type ConfigField = {
  enum?: string[]
  secret?: boolean
  multiline?: boolean
  default?: unknown
}

type Props = {
  type: GatewayType | undefined
  value: Readonly<Record<string, string>>
  set: (value: Record<string, string>) => void
  /** Secrets that are stored. They are never sent here, and stay if their field is empty. */
  secretsSet: readonly string[]
}

/** The fields of a kind of gateway, from the schema that the server sends. */
export const ConfigFields = ({ type, value, set, secretsSet }: Props) => {
  const t = useT()
  const optionalT = useOptionalT()
  const fields = Object.entries((type?.config.properties ?? {}) as Record<string, ConfigField>)
  const required = (type?.config.required ?? []) as string[]
  const kindOf = ({ enum: options, secret, multiline }: ConfigField) => {
    if (options) return 'select'
    if (multiline) return 'code'
    return secret ? 'password' : 'text'
  }
  return (
    <Stack spacing={2.25}>
      {fields.map(([name, field]) => {
        const isSet = secretsSet.includes(name)
        return (
          <Field
            key={name}
            label={optionalT(`payments.config.${name}`) ?? name}
            help={isSet ? t('payments.secretSet') : optionalT(`payments.configHelp.${name}`)}
            required={required.includes(name) && !isSet}
          >
            {ids => (
              <Control
                {...ids}
                kind={kindOf(field)}
                value={value[name] ?? field.default ?? ''}
                set={next => set({ ...value, [name]: String(next ?? '') })}
                options={(field.enum ?? []).map(option => ({
                  value: option,
                  label: optionalT(`payments.options.${option || 'empty'}`) ?? option,
                }))}
                autoComplete="off"
              />
            )}
          </Field>
        )
      })}
    </Stack>
  )
}
