import ExpandIcon from '@mui/icons-material/ExpandMoreOutlined'
import Accordion from '@mui/material/Accordion'
import AccordionDetails from '@mui/material/AccordionDetails'
import AccordionSummary from '@mui/material/AccordionSummary'
import Alert from '@mui/material/Alert'
import Box from '@mui/material/Box'
import FormHelperText from '@mui/material/FormHelperText'
import Stack from '@mui/material/Stack'
import Switch from '@mui/material/Switch'
import { useId, useState } from 'react'
import { Controller } from 'react-hook-form'
import type { z } from 'zod'
import { useOptionalT, useT } from '../use-t.ts'
import { Control } from './control.tsx'
import { Field } from './field.tsx'
import type { FieldShape } from './shape.ts'
import type { FieldLook, SchemaFormProps, Section } from './types.ts'
import type { FormControl } from './use-schema-form.ts'

type Props<S extends z.ZodObject> = Pick<SchemaFormProps<S>, 'of' | 'fields' | 'sections'> & {
  control: FormControl
  /** Of the sections' titles: one below the title above them. */
  heading?: 'h2' | 'h3'
}

/** All fields of a schema in one column, the rare ones folded away. */
export const SchemaFields = <S extends z.ZodObject>(props: Props<S>) => {
  const { control, sections = [] } = props
  const placed = new Set(sections.flatMap(each => each.fields))
  const loose = control.shapes.filter(each => !placed.has(each.key)).map(each => each.key)
  return (
    <Stack spacing={2.25}>
      <FieldList {...props} keys={loose} />
      {sections.map(section => (
        <OneSection key={section.id} {...props} section={section} />
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
    const look = props.fields?.[key] ?? {}
    return shape && !look.hidden ? (
      <OneField key={key} {...props} shape={shape} look={look} />
    ) : null
  })

/** What every form begins with stands open; a section that says whether it is folded can be. */
const OneSection = <S extends z.ZodObject>(props: Props<S> & { section: Section }) =>
  props.section.folded === undefined ? (
    <FieldList {...props} keys={props.section.fields} />
  ) : (
    <FoldingSection {...props} />
  )

const FoldingSection = <S extends z.ZodObject>(props: Props<S> & { section: Section }) => {
  const { section, control, of, heading = 'h3' } = props
  const t = useT()
  const id = useId()
  const [open, setOpen] = useState(!section.folded)
  const hasError = section.fields.some(key => control.errorOf(key))
  return (
    <Accordion
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
        '&::before': { display: 'none' },
      }}
    >
      <AccordionSummary
        id={`${id}-title`}
        aria-controls={`${id}-fields`}
        expandIcon={<ExpandIcon />}
        sx={{ font: 'inherit', fontWeight: 500, minHeight: 44 }}
      >
        {t(`${of}.sections.${section.id}`)}
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
        </Stack>
      </AccordionDetails>
    </Accordion>
  )
}

type OneProps<S extends z.ZodObject> = Props<S> & { shape: FieldShape; look: FieldLook }

const OneField = <S extends z.ZodObject>({ of, control, shape, look }: OneProps<S>) => {
  const t = useT()
  const optional = useOptionalT()
  const values = control.form.watch()
  if (look.show && !look.show(values)) return null
  const { key, required } = shape
  const kind = look.as ?? shape.kind
  const label = look.label ?? t(`${of}.fields.${key}`)
  const help = look.help ?? optional(`${of}.help.${key}`)
  const error = control.errorOf(key)
  const disabled = look.disabled ?? false
  const options =
    look.options ??
    shape.values.map(value => ({ value, label: t(`${of}.options.${key}.${value}`) }))
  const setField = (other: string, value: unknown) =>
    control.form.setValue(other, value, { shouldDirty: true, shouldValidate: true })
  return (
    <Controller
      control={control.form.control}
      name={key}
      render={({ field }) => {
        const own = { value: field.value as unknown, set: field.onChange, disabled }
        const render = look.render
        if (render && look.framed === false)
          return (
            <>
              {render({
                id: '',
                described: undefined,
                error,
                label,
                help,
                values,
                setField,
                ...own,
              })}
            </>
          )
        if (kind === 'switch' && !render)
          return <SwitchField {...{ label, help, error }} {...own} />
        return (
          <Field {...{ label, help, error, required }}>
            {named =>
              render ? (
                render({ ...named, error, label, help, values, setField, ...own })
              ) : (
                <Control
                  {...{ kind, options }}
                  {...named}
                  {...own}
                  onBlur={field.onBlur}
                  placeholder={look.placeholder}
                  autoComplete={look.autoComplete}
                  rows={look.rows}
                />
              )
            }
          </Field>
        )
      }}
    />
  )
}

type SwitchProps = {
  label: string
  help: string | undefined
  error: string | undefined
  value: unknown
  set: (value: boolean) => void
  disabled: boolean
}

const SwitchField = ({ label, help, error, value, set, disabled }: SwitchProps) => {
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
        onChange={(_, next) => set(next)}
        slotProps={{ input: { id, 'aria-describedby': error || help ? `${id}-text` : undefined } }}
      />
    </Stack>
  )
}
