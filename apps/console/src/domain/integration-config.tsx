import Stack from '@mui/material/Stack'
import { useOptionalT } from '../locales/use-t.ts'
import { Control, Field, type FieldOverride, useT } from '../ui/index.ts'

/** A kind of gateway or notifier, with the JSON schema of its settings that the server sends. */
type IntegrationType = { type: string; name: string; config: Record<string, unknown> }

type IntegrationForm = {
  /** The prefix of the texts: labels stand under `config`, by type and field or by field alone. */
  resource: 'payments' | 'notifications'
  types: readonly IntegrationType[]
  /** Set for a stored integration. Its secrets are never sent here, and stay if their field is empty. */
  stored?: { secrets_set: readonly string[] } | undefined
  /** Shown for a type without settings. */
  emptyText?: string
}

/** The fields `type` and `config` of a form for an integration. The type of a stored one cannot change. */
export const integrationOverrides = ({
  resource,
  types,
  stored,
  emptyText,
}: IntegrationForm): Partial<Record<string, FieldOverride>> => ({
  type: {
    as: 'select',
    options: types.map(({ type, name }) => ({ value: type, label: name })),
    disabled: stored !== undefined,
  },
  config: {
    render: ({ value, set, values }) => (
      <ConfigFields
        resource={resource}
        type={types.find(each => each.type === values.type)}
        value={(value || {}) as Record<string, string>}
        set={set}
        secretsSet={stored?.secrets_set ?? []}
        emptyText={emptyText}
      />
    ),
  },
})

type ConfigField = { enum?: string[]; secret?: boolean; multiline?: boolean; default?: unknown }

const kindOf = ({ enum: options, secret, multiline }: ConfigField) => {
  if (options) return 'select'
  if (multiline) return 'code'
  return secret ? 'password' : 'text'
}

type Props = Pick<IntegrationForm, 'resource'> & {
  type: IntegrationType | undefined
  value: Readonly<Record<string, string>>
  set: (value: Record<string, string>) => void
  secretsSet: readonly string[]
  emptyText: string | undefined
}

const ConfigFields = ({ resource, type, value, set, secretsSet, emptyText }: Props) => {
  const t = useT()
  const optionalT = useOptionalT()
  const fields = Object.entries((type?.config.properties ?? {}) as Record<string, ConfigField>)
  const required = (type?.config.required ?? []) as string[]
  const textOf = (kind: 'config' | 'configHelp', name: string) =>
    optionalT(`${resource}.${kind}.${type?.type}_${name}`) ??
    optionalT(`${resource}.${kind}.${name}`)
  if (fields.length === 0) return <>{emptyText}</>
  return (
    <Stack spacing={2.25} sx={{ mt: 1, pl: 2, borderLeft: 2, borderColor: 'divider' }}>
      {fields.map(([name, field]) => {
        const isSet = secretsSet.includes(name)
        return (
          <Field
            key={`${type?.type}_${name}`}
            label={textOf('config', name) ?? name}
            help={isSet ? t(`${resource}.secretSet`) : textOf('configHelp', name)}
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
                  label: optionalT(`${resource}.options.${option || 'empty'}`) ?? option,
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
