import { zodResolver } from '@hookform/resolvers/zod'
import { useState } from 'react'
import { type FieldValues, type Resolver, useForm } from 'react-hook-form'
import type { z } from 'zod'
import { fieldErrors } from '../../api/error.ts'
import { errorText } from '../../api/error-text.ts'
import '../../locales/schema-messages.ts'
import { useOptionalT, useT } from '../../locales/use-t.ts'
import { fieldRule } from './field-rules.ts'
import { describeFields, type FieldShape } from './shape.ts'
import type { SchemaFormProps, Values } from './types.ts'

/** The state of a form that validates with the contract's schema and shows refusals at the fields they name. */
export const useSchemaForm = <S extends z.ZodObject>(props: SchemaFormProps<S>) => {
  const { schema, submit, initialValues, transform, onSuccess } = props
  const t = useT()
  const ruleText = useRuleText()
  const [formError, setFormError] = useState('')
  const [shapes] = useState(() => describeFields(schema))
  const resolve = zodResolver(
    schema as never,
    { error: fieldRule(t) } as never,
  ) as unknown as Resolver<FieldValues>
  const form = useForm<FieldValues>({
    resolver: (values, ...rest) => resolve(withoutEmptied(values, shapes), ...rest),
    defaultValues: {
      ...Object.fromEntries(shapes.map(each => [each.key, each.initial])),
      ...(initialValues as Values | undefined),
    },
    mode: 'onTouched',
  })

  const send = async (values: FieldValues) => {
    setFormError('')
    const input = transform ? transform(values as z.output<S>) : values
    const call = ('attempt' in submit ? submit.attempt : submit) as (
      input: unknown,
    ) => Promise<unknown>
    try {
      const response = await call(input)
      form.reset(form.getValues())
      onSuccess?.(response)
    } catch (error) {
      showErrors(error)
    }
  }

  const showErrors = (error: unknown) => {
    const { text } = errorText(t, error)
    const known = Object.entries(fieldErrors(error)).filter(([path]) =>
      shapes.some(
        each => each.key === path.split('.')[0] && !props.fieldOverrides?.[each.key]?.hidden,
      ),
    )
    for (const [path, message] of known) {
      const field = path.split('.')[0] ?? path
      form.setError(field, { message: message || text }, { shouldFocus: true })
    }
    if (known.length === 0) setFormError(text)
  }

  const { errors, isDirty, isSubmitting } = form.formState
  return {
    shapes,
    form,
    formError,
    isDirty,
    isSubmitting,
    send: form.handleSubmit(send),
    errorOf: (key: string): string | undefined => {
      const message = firstMessage(errors[key])
      return message === undefined ? undefined : ruleText(message)
    },
  }
}

/** An emptied number is held as '', see `FieldInput`; for the schema it is absent. */
const withoutEmptied = (values: FieldValues, shapes: readonly FieldShape[]): FieldValues => {
  const emptied = shapes.filter(({ key, kind }) => kind === 'number' && values[key] === '')
  return { ...values, ...Object.fromEntries(emptied.map(({ key }) => [key, undefined])) }
}

export type FormControl = ReturnType<typeof useSchemaForm>

/** Finds the first message in the nested errors of a list or an object. */
const firstMessage = (error: unknown): string | undefined => {
  if (!error || typeof error !== 'object') return undefined
  const { message } = error as { message?: unknown }
  if (typeof message === 'string') return message
  return Object.values(error)
    .map(firstMessage)
    .find(each => each !== undefined)
}

/** Translates the contract's own rules, which are English sentences, with `rules.json`. */
const useRuleText = () => {
  const optional = useOptionalT()
  return (message: string) =>
    optional(
      `rules.${message
        .toLowerCase()
        .replace(/[^a-z0-9]+/g, '-')
        .replace(/^-|-$/g, '')}`,
    ) ?? message
}
