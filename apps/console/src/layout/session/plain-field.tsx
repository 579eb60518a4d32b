import type {
  ControllerProps,
  FieldPath,
  FieldValues,
  Control as FormControl,
} from 'react-hook-form'
import { Controller } from 'react-hook-form'
import { Field } from '../../ui'
import { PasswordInput, TextInput } from '../../ui/form/text-control.tsx'

type Props<V extends FieldValues> = {
  control: FormControl<V>
  name: FieldPath<V>
  label: string
  /** Rules of a form without a schema. */
  rules?: NonNullable<ControllerProps<V>['rules']>
  /** Shown instead of the schema's error message. */
  errorText: string
  help?: string
  isPassword?: boolean
  autoComplete: string
}

/** A text or password field with one message for every validation error. */
export const PlainField = <V extends FieldValues>(props: Props<V>) => {
  const { control, name, rules, label, errorText, help, isPassword = false, autoComplete } = props
  const Input = isPassword ? PasswordInput : TextInput
  return (
    <Controller
      control={control}
      name={name}
      {...(rules && { rules })}
      render={({ field: { value, onChange, onBlur }, fieldState: { error } }) => (
        <Field label={label} help={help} error={error && errorText} required>
          {fieldProps => (
            <Input
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
