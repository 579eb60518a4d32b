import type { ButtonProps } from '@mui/material/Button'
import type { ComponentType, ReactNode } from 'react'
import type { z } from 'zod'

export type ControlKind =
  | 'text'
  | 'multiline'
  | 'code'
  | 'password'
  | 'number'
  | 'switch'
  | 'select'
  | 'tags'
  | 'time'

export type Values = Record<string, unknown>
export type Option = { value: string | number; label: string }

export type ControlProps = {
  kind: ControlKind
  id: string
  describedBy: string | undefined
  invalid: boolean
  value: unknown
  set: (value: unknown) => void
  onBlur?: () => void
  options: readonly Option[]
  disabled?: boolean
  placeholder?: string | undefined
  autoComplete?: string | undefined
  rows?: number | undefined
}

export type Render = (part: {
  id: string
  describedBy: string | undefined
  value: unknown
  set: (value: unknown) => void
  error: string | undefined
  label: string
  help: string | undefined
  values: Values
  disabled: boolean
  setField: (key: string, value: unknown) => void
}) => ReactNode

export type FieldOverride = {
  as?: ControlKind
  /** Replaces the built-in control; it receives the same props. */
  control?: ComponentType<ControlProps>
  options?: readonly Option[]
  hidden?: boolean
  placeholder?: string
  /** Replaces the label from the locale file. */
  label?: string
  help?: string | undefined
  /** Shows the field only while the other values match. */
  showWhen?: (values: Values) => boolean
  /** A small mark beside the label. */
  mark?: ReactNode
  /** Stands below the field, for instance what it needs. */
  note?: (values: Values) => ReactNode
  disabled?: boolean
  autoComplete?: string
  rows?: number
  /** Replaces the control; label, help and error are still drawn around it. */
  render?: Render
}

export type Section = {
  id: string
  fields: readonly string[]
  folded?: boolean
  /** A short text beside the title, readable while the section is collapsed. */
  summary?: (values: Values) => ReactNode
  /** Stands below the fields. */
  footer?: ReactNode
}

export type SchemaFormProps<S extends z.ZodObject> = {
  schema: S
  /** The resource whose locale file has `fields`, `help`, `options` and `sections`. */
  resource: string
  submit: Submit<z.output<S>>
  initialValues?: Partial<z.input<S>> | undefined
  fieldOverrides?: Partial<Record<string, FieldOverride>>
  sections?: readonly Section[]
  /** The label of the submit button. */
  submitLabel?: string
  onSuccess?: (response: unknown) => void
  /** Converts the form values to the input that is sent. */
  transform?: (values: z.output<S>) => unknown
}

/** An action of `useAction`, or any function. An action's `attempt` is called, so that the form shows refusals. */
export type Submit<I> =
  | ((input: I) => Promise<unknown>)
  | { attempt: (input: never) => Promise<unknown> }

export type FormDialogProps<S extends z.ZodObject> = SchemaFormProps<S> & {
  title: string
  intro?: ReactNode
  /** The label of the button that opens the dialog; the title by default. Null: no button, `open` decides. */
  trigger?: ReactNode
  button?: ButtonProps
  /** The name of the dialog in the address; without `open`, and once on a page. */
  address?: string
  open?: boolean
  onClose?: () => void
}

export type TimeInputProps = {
  id: string
  /** Seconds since 1970. */
  value: number | undefined
  set: (seconds: number | undefined) => void
  /** Absent where a `Field` labels the input. */
  label?: string
  describedBy?: string | undefined
  invalid?: boolean
  disabled?: boolean
  /** Shows a button that unsets the time. */
  clearable?: boolean
}
