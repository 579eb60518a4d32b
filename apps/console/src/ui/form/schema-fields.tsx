import ExpandIcon from 'virtual:icons/expand-more'
import Accordion from '@mui/material/Accordion'
import AccordionDetails from '@mui/material/AccordionDetails'
import AccordionSummary from '@mui/material/AccordionSummary'
import Alert from '@mui/material/Alert'
import Box from '@mui/material/Box'
import FormHelperText from '@mui/material/FormHelperText'
import Stack from '@mui/material/Stack'
import { type ReactNode, useId, useState } from 'react'
import { Controller, type ControllerRenderProps } from 'react-hook-form'
import type { z } from 'zod'
import { useOptionalT, useT } from '../../locales/use-t.ts'
import { Switch } from '../switch.tsx'
import { Control } from './control.tsx'
import { Field } from './field.tsx'
import type { FieldShape } from './shape.ts'
import type { FieldOverride, SchemaFormProps, Section, Values } from './types.ts'
import type { FormControl } from './use-schema-form.ts'

type Props<S extends z.ZodObject> = Pick<
  SchemaFormProps<S>,
  'resource' | 'fieldOverrides' | 'sections'
> & {
  control: FormControl
  /** The heading level of section titles: one below the title above the form. */
  heading?: 'h2' | 'h3'
}

/** Draws all fields of a schema in one column: loose fields first, then the sections. */
export const SchemaFields = <S extends z.ZodObject>(props: Props<S>) => {
  const { control, sections = [] } = props
  const placed = new Set(sections.flatMap(each => each.fields))
  const loose = control.shapes.filter(each => !placed.has(each.key)).map(each => each.key)
  return (
    <Stack spacing={2.25}>
      <FieldList {...props} keys={loose} />
      {sections.map(section => (
        <FormSection key={section.id} {...props} section={section} />
      ))}
      {control.formError && (
        <Alert severity="error" variant="outlined" role="alert">
          {control.formError}
        </Alert>
      )}
    </Stack>
  )
}

const FieldList = <S extends z.ZodObject>({
  keys,
  ...props
}: Props<S> & { keys: readonly string[] }) =>
  keys.map(key => {
    const shape = props.control.shapes.find(each => each.key === key)
    const override = props.fieldOverrides?.[key] ?? {}
    return shape && !override.hidden ? (
      <SchemaField key={key} {...props} shape={shape} override={override} />
    ) : null
  })

/** A section is collapsible only when it defines `folded`. */
const FormSection = <S extends z.ZodObject>(props: Props<S> & { section: Section }) =>
  props.section.folded === undefined ? (
    <FieldList {...props} keys={props.section.fields} />
  ) : (
    <CollapsibleSection {...props} />
  )

const CollapsibleSection = <S extends z.ZodObject>(props: Props<S> & { section: Section }) => {
  const { section, control, resource, heading = 'h3' } = props
  const t = useT()
  const id = useId()
  const [open, setOpen] = useState(!section.folded)
  const hasError = section.fields.some(key => control.errorOf(key))
  return (
    <Accordion
      id={`${resource}-${section.id}`}
      expanded={open || hasError}
      onChange={(_, next) => setOpen(next)}
      disableGutters
      elevation={0}
      slotProps={{
        transition: { timeout: 180 },
        heading: { component: heading },
        region: { id: `${id}-fields`, 'aria-labelledby': `${id}-title` },
      }}
      sx={{
        border: '1px solid',
        borderColor: 'divider',
        borderRadius: '8px !important',
        scrollMarginTop: '80px',
        '&::before': { display: 'none' },
      }}
    >
      <AccordionSummary
        id={`${id}-title`}
        aria-controls={`${id}-fields`}
        expandIcon={<ExpandIcon />}
        sx={{ font: 'inherit', fontWeight: 500, minHeight: 44 }}
      >
        {t(`${resource}.sections.${section.id}`)}
        {section.summary && (
          <Box
            component="span"
            sx={{
              ml: 1.5,
              color: 'text.secondary',
              fontSize: 12,
              fontWeight: 400,
              alignSelf: 'center',
            }}
          >
            {section.summary(control.form.watch())}
          </Box>
        )}
      </AccordionSummary>
      <AccordionDetails sx={{ pt: 0.5 }}>
        <Stack spacing={2.25}>
          <FieldList {...props} keys={section.fields} />
          {section.footer}
        </Stack>
      </AccordionDetails>
    </Accordion>
  )
}

type FieldProps<S extends z.ZodObject> = Props<S> & { shape: FieldShape; override: FieldOverride }

const SchemaField = <S extends z.ZodObject>(props: FieldProps<S>) => {
  const { control, shape, override } = props
  const values = control.form.watch()
  if (override.showWhen && !override.showWhen(values)) return null
  return (
    <Controller
      control={control.form.control}
      name={shape.key}
      render={({ field }) => (
        <Box sx={{ minWidth: 0 }}>
          <FieldInput {...props} {...{ field, values }} />
          {override.note?.(values)}
        </Box>
      )}
    />
  )
}

type InputProps<S extends z.ZodObject> = FieldProps<S> & {
  field: ControllerRenderProps
  values: Values
}

/** Draws one field: the override's own rendering, a switch beside its label, or a control below its label. */
const FieldInput = <S extends z.ZodObject>(props: InputProps<S>) => {
  const { resource, control, shape, override, field, values } = props
  const t = useT()
  const optional = useOptionalT()
  const { key, required } = shape
  const { render, mark, disabled = false } = override
  const kind = override.as ?? shape.kind
  const label = override.label ?? t(`${resource}.fields.${key}`)
  const help = override.help ?? optional(`${resource}.help.${key}`)
  const error = control.errorOf(key)
  // The form library shows the default again in place of undefined, so that an emptied number is held as ''.
  const isEmptied = shape.kind === 'number' && field.value === ''
  const state = {
    value: isEmptied ? undefined : (field.value as unknown),
    set: (value: unknown) =>
      field.onChange(shape.kind === 'number' && value === undefined ? '' : value),
    disabled,
  }
  const setField = (other: string, value: unknown) =>
    control.form.setValue(other, value, { shouldDirty: true, shouldValidate: true })
  const rendered = { error, label, help, values, setField, ...state }

  if (kind === 'switch' && !render)
    return <SwitchField {...{ label, help, error, mark }} {...state} />
  const options =
    override.options ??
    shape.values.map(value => ({ value, label: t(`${resource}.options.${key}.${value}`) }))
  const Input = override.control ?? Control
  return (
    <Field {...{ label, help, error, required, mark }}>
      {ids =>
        render ? (
          render({ ...ids, ...rendered })
        ) : (
          <Input
            {...{ kind, options }}
            {...ids}
            {...state}
            onBlur={field.onBlur}
            placeholder={override.placeholder}
            autoComplete={override.autoComplete}
            rows={override.rows}
          />
        )
      }
    </Field>
  )
}

type SwitchProps = {
  label: string
  help: string | undefined
  error: string | undefined
  mark: ReactNode
  value: unknown
  set: (value: boolean) => void
  disabled: boolean
}

const SwitchField = ({ label, help, error, mark, value, set, disabled }: SwitchProps) => {
  const id = useId()
  return (
    <Stack
      direction="row"
      spacing={2}
      sx={{ justifyContent: 'space-between', alignItems: 'center' }}
    >
      <Box>
        <Box component="label" htmlFor={id} sx={{ fontSize: 13, fontWeight: 500 }}>
          {label}
          {mark}
        </Box>
        {(error || help) && (
          <FormHelperText id={`${id}-text`} error={Boolean(error)} sx={{ mt: 0 }}>
            {error ?? help}
          </FormHelperText>
        )}
      </Box>
      <Switch
        checked={Boolean(value)}
        disabled={disabled}
        onChange={set}
        id={id}
        aria-describedby={error || help ? `${id}-text` : undefined}
      />
    </Stack>
  )
}
