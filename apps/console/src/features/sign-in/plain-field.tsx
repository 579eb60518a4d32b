import type { FieldPath, FieldValues, Control as FormControl } from 'react-hook-form'
import { Controller } from 'react-hook-form'
import { Control, Field } from '../../ui'

type Props<V extends FieldValues> = {
  control: FormControl<V>
  name: FieldPath<V>
  label: string
  /** Shown instead of the schema's error message. */
  errorText: string
  help?: string
  isPassword?: boolean
  autoComplete: string
}

/** A text or password field with one message for every validation error. */
export const PlainField = <V extends FieldValues>(props: Props<V>) => {
  const { control, name, label, errorText, help, isPassword = false, autoComplete } = props
  return (
    <Controller
      control={control}
      name={name}
      render={({ field: { value, onChange, onBlur }, fieldState: { error } }) => (
        <Field label={label} help={help} error={error && errorText} required>
          {fieldProps => (
            <Control
              {...fieldProps}
              {...{ value, onBlur, autoComplete }}
              kind={isPassword ? 'password' : 'text'}
              set={onChange}
              options={[]}
            />
          )}
        </Field>
      )}
    />
  )
}
